using System.Text;

namespace HangTriage.Tests.Support.Synthetic;

/// <summary>Encodes the headers of a 64-bit DLL.</summary>
internal static class ImageHeaders
{
    public const uint Size = 0x400;
    public const uint SectionAlignment = 0x1000;
    public const uint FileAlignment = 0x200;

    public static uint Aligned(uint value, uint alignment) => (value + alignment - 1) / alignment * alignment;

    /// <param name="image">The image.</param>
    /// <param name="sections">In the order of their addresses.</param>
    /// <param name="directories">The data directories by index; the others are empty.</param>
    public static byte[] Encode(SyntheticImage image, IReadOnlyList<ImageSection> sections, IReadOnlyDictionary<int, (uint Rva, uint Size)> directories)
    {
        ByteWriter headers = new();
        headers.U16(0x5A4D).Zeros(0x3A).U32(0x80).Zeros(0x40);
        headers.U32(0x4550).U16(0x8664).U16((ushort)sections.Count).U32(image.TimeDateStamp).U32(0).U32(0).U16(0xF0).U16(0x2022);
        WriteOptionalHeader(headers, image, sections);
        for (int index = 0; index < 16; index++)
        {
            (uint rva, uint size) = directories.GetValueOrDefault(index);
            headers.U32(rva).U32(size);
        }

        return headers.Bytes(EncodeSections(sections)).ToArray();
    }

    /// <summary>The section headers; the first section's bytes follow the headers in the file.</summary>
    public static byte[] EncodeSections(IReadOnlyList<ImageSection> sections)
    {
        ByteWriter headers = new();
        uint filePosition = Size;
        foreach (ImageSection section in sections)
        {
            uint fileSize = Aligned((uint)section.Bytes.Length, FileAlignment);
            headers.Bytes(Encoding.ASCII.GetBytes(section.Name.PadRight(8, '\0')));
            headers.U32((uint)section.Bytes.Length).U32(section.Rva).U32(fileSize).U32(filePosition);
            headers.Zeros(12).U32(section.Characteristics);
            filePosition += fileSize;
        }

        return headers.ToArray();
    }

    private static void WriteOptionalHeader(ByteWriter headers, SyntheticImage image, IReadOnlyList<ImageSection> sections)
    {
        ImageSection text = sections[0];
        uint imageSize = Aligned(sections[^1].End, SectionAlignment);
        uint dataSize = (uint)sections.Skip(1).Sum(section => section.Bytes.Length);
        headers.U16(0x20B).U8(14).U8(0).U32((uint)text.Bytes.Length).U32(dataSize).U32(0).U32(0).U32(text.Rva);
        headers.U64(image.Base).U32(SectionAlignment).U32(FileAlignment);
        headers.U16(10).U16(0).U16(10).U16(0).U16(10).U16(0).U32(0).U32(imageSize).U32(Size).U32(image.CheckSum);
        headers.U16(3).U16(0x4160).U64(0x40000).U64(0x1000).U64(0x100000).U64(0x1000).U32(0).U32(16);
    }
}
