using System.Buffers.Binary;
using HangTriage.Capture.Files;

namespace HangTriage.Capture.Windows.Files;

/// <summary>
/// A PE image as a file (IMAGE_DOS_HEADER, IMAGE_NT_HEADERS and IMAGE_SECTION_HEADER of winnt.h), read as data and
/// never loaded. It shows what the loader would map of headers and sections that no code may write to; anything else is
/// the process's own. The file must not be cut while it is open.
/// </summary>
internal sealed class ImageFile : IDisposable
{
    private const int DosSize = 0x40;
    private const int NtSize = 0x58; // up to and with SizeOfHeaders
    private const int SectionSize = 40;
    private const int MaxSections = 96; // what the Windows loader takes
    private const uint MaxHeaderOffset = 0x10000;
    private const uint Writable = 0x80000000;
    private const uint FileAlignment = 0x200; // the loader rounds file positions down to it

    private readonly MappedFile _file;
    private readonly List<Part> _parts = [];

    private ImageFile(MappedFile file, ushort machine, uint timeDateStamp, uint sizeOfImage)
    {
        _file = file;
        Machine = machine;
        TimeDateStamp = timeDateStamp;
        SizeOfImage = sizeOfImage;
    }

    /// <summary>IMAGE_FILE_MACHINE_*.</summary>
    public ushort Machine { get; }

    public uint TimeDateStamp { get; }

    /// <summary>The size in memory, in bytes.</summary>
    public uint SizeOfImage { get; }

    /// <summary>Null where the file cannot be read or is no image.</summary>
    /// <param name="path">The file.</param>
    /// <param name="maxBytes">Files that are larger are not opened.</param>
    /// <param name="why">A clause about the file.</param>
    public static ImageFile? Open(string path, long maxBytes, out string why)
    {
        MappedFile? file = null;
        try
        {
            file = MappedFile.Open(path);
            ImageFile? image = file.Length <= (ulong)maxBytes ? Read(file) : null;
            why = image is null ? "a file of its name in the symbol path is no image" : "";
            if (image is null)
            {
                file.Dispose();
            }

            return image;
        }
        catch (TargetOpenException e)
        {
            why = $"a file of its name in the symbol path cannot be used: {e.Message}";
            return null;
        }
    }

    /// <summary>Copies what a process would have there, up to the first byte that is not the file's to say.</summary>
    /// <param name="rva">From the image's base.</param>
    /// <param name="buffer">Filled from its start.</param>
    /// <returns>The number of bytes copied.</returns>
    public int Read(uint rva, Span<byte> buffer)
    {
        int copied = 0;
        while (copied < buffer.Length && Find(rva + (ulong)copied) is { } part)
        {
            ulong offset = rva + (ulong)copied - part.Start;
            Span<byte> wanted = buffer.Slice(copied, (int)Math.Min((ulong)(buffer.Length - copied), part.End - part.Start - offset));
            int inFile = (int)Math.Min((ulong)wanted.Length, part.FileSize > offset ? part.FileSize - offset : 0);
            if (!_file.TryRead(part.FileOffset + offset, wanted[..inFile]))
            {
                break;
            }

            wanted[inFile..].Clear(); // behind its bytes in the file a section is zero
            copied += wanted.Length;
        }

        return copied;
    }

    public void Dispose() => _file.Dispose();

    private static ImageFile? Read(MappedFile file)
    {
        Span<byte> dos = stackalloc byte[DosSize];
        if (!file.TryRead(0, dos) || BinaryPrimitives.ReadUInt16LittleEndian(dos) != 0x5A4D)
        {
            return null;
        }

        Span<byte> nt = stackalloc byte[NtSize];
        uint offset = BinaryPrimitives.ReadUInt32LittleEndian(dos[0x3C..]);
        if (offset > MaxHeaderOffset
            || !file.TryRead(offset, nt)
            || BinaryPrimitives.ReadUInt32LittleEndian(nt) != 0x4550
            || BinaryPrimitives.ReadUInt16LittleEndian(nt[0x18..]) is not (0x10B or 0x20B))
        {
            return null;
        }

        ImageFile image = new(
            file,
            BinaryPrimitives.ReadUInt16LittleEndian(nt[4..]),
            BinaryPrimitives.ReadUInt32LittleEndian(nt[8..]),
            BinaryPrimitives.ReadUInt32LittleEndian(nt[0x50..]));
        uint headers = Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(nt[0x54..]), image.SizeOfImage);
        image._parts.Add(new Part(0, headers, 0, headers));
        ushort optionalSize = BinaryPrimitives.ReadUInt16LittleEndian(nt[0x14..]);
        image.ReadSections(offset + 0x18UL + optionalSize, BinaryPrimitives.ReadUInt16LittleEndian(nt[6..]));
        return image;
    }

    private void ReadSections(ulong at, int count)
    {
        Span<byte> section = stackalloc byte[SectionSize];
        for (int i = 0; i < Math.Min(count, MaxSections) && _file.TryRead(at + (ulong)(i * SectionSize), section); i++)
        {
            uint size = BinaryPrimitives.ReadUInt32LittleEndian(section[8..]);
            uint rva = BinaryPrimitives.ReadUInt32LittleEndian(section[12..]);
            uint fileSize = BinaryPrimitives.ReadUInt32LittleEndian(section[16..]);
            uint fileOffset = BinaryPrimitives.ReadUInt32LittleEndian(section[20..]) & ~(FileAlignment - 1);
            ulong end = Math.Min(rva + (ulong)(size == 0 ? fileSize : size), SizeOfImage);
            if ((BinaryPrimitives.ReadUInt32LittleEndian(section[36..]) & Writable) == 0 && rva < end)
            {
                _parts.Add(new Part(rva, end, fileOffset, fileSize));
            }
        }
    }

    private Part? Find(ulong rva)
    {
        foreach (Part part in _parts)
        {
            if (rva >= part.Start && rva < part.End)
            {
                return part;
            }
        }

        return null;
    }

    /// <summary>Headers or a section: rvas, and where their bytes lie in the file.</summary>
    private readonly record struct Part(ulong Start, ulong End, ulong FileOffset, ulong FileSize);
}
