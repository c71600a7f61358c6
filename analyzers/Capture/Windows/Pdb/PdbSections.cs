using System.Buffers.Binary;

namespace HangTriage.Capture.Windows.Pdb;

/// <summary>Makes rvas of the section numbers and offsets that symbols have.</summary>
internal sealed class PdbSections
{
    private const int HeaderSize = 40; // IMAGE_SECTION_HEADER
    private const int MaxSections = 65_535;
    private const uint Executable = 0x20000000;

    private readonly List<(uint Rva, uint Size, bool IsCode)> _sections = [];

    public static PdbSections Read(MsfStream stream)
    {
        PdbSections sections = new();
        Span<byte> header = stackalloc byte[HeaderSize];
        for (int i = 0; i < MaxSections && stream.TryRead((ulong)(i * HeaderSize), header); i++)
        {
            sections._sections.Add((
                BinaryPrimitives.ReadUInt32LittleEndian(header[12..]),
                BinaryPrimitives.ReadUInt32LittleEndian(header[8..]),
                (BinaryPrimitives.ReadUInt32LittleEndian(header[36..]) & Executable) != 0));
        }

        return sections;
    }

    /// <summary>False where there is no such place, or no code there.</summary>
    /// <param name="number">The section, from 1.</param>
    /// <param name="offset">Within it, in bytes.</param>
    /// <param name="rva">From the image's base.</param>
    public bool TryGetCode(ushort number, uint offset, out uint rva)
    {
        rva = 0;
        if (number == 0 || number > _sections.Count)
        {
            return false;
        }

        (uint start, uint size, bool isCode) = _sections[number - 1];
        rva = unchecked(start + offset);
        return isCode && offset < size && rva >= start;
    }
}
