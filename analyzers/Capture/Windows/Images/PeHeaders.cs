using System.Buffers.Binary;

namespace HangTriage.Capture.Windows.Images;

/// <summary>
/// What is needed of the headers of an x64 PE image in memory (IMAGE_DOS_HEADER, IMAGE_NT_HEADERS64 and
/// IMAGE_SECTION_HEADER of winnt.h). All offsets are relative to the image's base, in bytes.
/// </summary>
internal sealed class PeHeaders
{
    private const int NtSize = 0x108; // up to and with the sixteen data directories
    private const int SectionSize = 40;
    private const int MaxSections = 96; // what the Windows loader takes
    private const uint Executable = 0x20000000;
    private const ushort MachineX64 = 0x8664;
    private const ushort Pe32Plus = 0x20B;

    private readonly List<(uint Start, uint End)> _code = [];

    private PeHeaders(PeDirectory exports, PeDirectory exceptions, PeDirectory debug)
    {
        Debug = debug;
        Exports = exports;
        Exceptions = exceptions;
    }

    public PeDirectory Exports { get; }

    /// <summary>The function table (.pdata); empty where the image has none.</summary>
    public PeDirectory Exceptions { get; }

    /// <summary>IMAGE_DEBUG_DIRECTORY entries; empty where the image has none.</summary>
    public PeDirectory Debug { get; }

    /// <summary>Null where the headers are not in the target's memory or are not those of an x64 image.</summary>
    public static PeHeaders? Read(TargetMemory memory, ulong imageBase, ulong imageSize)
    {
        const uint MaxHeaderOffset = 0x10000;
        Span<byte> nt = stackalloc byte[NtSize];
        if (!memory.TryReadUInt16(imageBase, out ushort dosSignature) || dosSignature != 0x5A4D
            || !memory.TryReadUInt32(imageBase + 0x3C, out uint offset) || offset > MaxHeaderOffset
            || !memory.TryRead(imageBase + offset, nt)
            || BinaryPrimitives.ReadUInt32LittleEndian(nt) != 0x4550
            || BinaryPrimitives.ReadUInt16LittleEndian(nt[4..]) != MachineX64
            || BinaryPrimitives.ReadUInt16LittleEndian(nt[0x18..]) != Pe32Plus)
        {
            return null;
        }

        uint directories = BinaryPrimitives.ReadUInt32LittleEndian(nt[0x84..]);
        PeHeaders headers = new(
            Directory(nt, 0, directories, imageSize), Directory(nt, 3, directories, imageSize), Directory(nt, 6, directories, imageSize));
        ushort optionalSize = BinaryPrimitives.ReadUInt16LittleEndian(nt[0x14..]);
        headers.ReadSections(memory, imageBase + offset + 0x18 + optionalSize, BinaryPrimitives.ReadUInt16LittleEndian(nt[6..]));
        return headers;
    }

    /// <summary>Whether the address lies in a section of code.</summary>
    public bool IsCode(uint rva)
    {
        foreach ((uint start, uint end) in _code)
        {
            if (rva >= start && rva < end)
            {
                return true;
            }
        }

        return false;
    }

    private static PeDirectory Directory(ReadOnlySpan<byte> nt, int index, uint directories, ulong imageSize)
    {
        ReadOnlySpan<byte> entry = nt[(0x88 + (index * 8))..];
        uint rva = BinaryPrimitives.ReadUInt32LittleEndian(entry);
        uint size = BinaryPrimitives.ReadUInt32LittleEndian(entry[4..]);
        return index < directories && rva < imageSize ? new PeDirectory(rva, (uint)Math.Min(size, imageSize - rva)) : default;
    }

    private void ReadSections(TargetMemory memory, ulong address, int count)
    {
        Span<byte> section = stackalloc byte[SectionSize];
        for (int i = 0; i < Math.Min(count, MaxSections) && memory.TryRead(address + (ulong)(i * SectionSize), section); i++)
        {
            uint size = BinaryPrimitives.ReadUInt32LittleEndian(section[8..]);
            uint rva = BinaryPrimitives.ReadUInt32LittleEndian(section[12..]);
            if ((BinaryPrimitives.ReadUInt32LittleEndian(section[36..]) & Executable) != 0)
            {
                _code.Add((rva, unchecked(rva + size) < rva ? uint.MaxValue : rva + size));
            }
        }
    }
}
