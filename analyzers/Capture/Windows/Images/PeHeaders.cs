using System.Buffers.Binary;

namespace HangTriage.Capture.Windows.Images;

/// <summary>
/// What is needed of the headers of an x64 or x86 PE image in memory (IMAGE_DOS_HEADER, IMAGE_NT_HEADERS and
/// IMAGE_SECTION_HEADER of winnt.h). All offsets are relative to the image's base, in bytes.
/// </summary>
internal sealed class PeHeaders
{
    private const int NtSize = 0x108; // up to and with the sixteen data directories
    private const int SectionSize = 40;
    private const int MaxSections = 96; // what the Windows loader takes
    private const uint Executable = 0x20000000;
    private const uint Writable = 0x80000000;
    private const ushort MachineX64 = 0x8664;
    private const ushort MachineX86 = 0x14C;
    private const ushort Pe32Plus = 0x20B;
    private const ushort Pe32 = 0x10B;
    private const int Pe32Shorter = 0x10; // the optional header's part before the directories

    private readonly List<(uint Start, uint End)> _code = [];
    private readonly List<(uint Start, uint End)> _data = [];

    private PeHeaders(PeDirectory exports, PeDirectory exceptions, PeDirectory debug)
    {
        Debug = debug;
        Exports = exports;
        Exceptions = exceptions;
    }

    public PeDirectory Exports { get; }

    /// <summary>An x86 image: it has no function table.</summary>
    public bool Is32Bit { get; private init; }

    /// <summary>The function table (.pdata); empty where the image has none.</summary>
    public PeDirectory Exceptions { get; }

    /// <summary>IMAGE_DEBUG_DIRECTORY entries; empty where the image has none.</summary>
    public PeDirectory Debug { get; }

    /// <summary>Null where the headers are not in the target's memory or are not those of an x64 or x86 image.</summary>
    public static PeHeaders? Read(TargetMemory memory, ulong imageBase, ulong imageSize)
    {
        const uint MaxHeaderOffset = 0x10000;
        Span<byte> nt = stackalloc byte[NtSize];
        if (!memory.TryReadUInt16(imageBase, out ushort dosSignature) || dosSignature != 0x5A4D
            || !memory.TryReadUInt32(imageBase + 0x3C, out uint offset) || offset > MaxHeaderOffset
            || !memory.TryRead(imageBase + offset, nt)
            || BinaryPrimitives.ReadUInt32LittleEndian(nt) != 0x4550
            || (BinaryPrimitives.ReadUInt16LittleEndian(nt[4..]), BinaryPrimitives.ReadUInt16LittleEndian(nt[0x18..]))
                is not ((MachineX64, Pe32Plus) or (MachineX86, Pe32)))
        {
            return null;
        }

        bool is32Bit = BinaryPrimitives.ReadUInt16LittleEndian(nt[0x18..]) == Pe32;
        Span<byte> counted = nt[(is32Bit ? 0x84 - Pe32Shorter : 0x84)..];
        uint directories = BinaryPrimitives.ReadUInt32LittleEndian(counted);
        PeHeaders headers = new(
            Directory(counted, 0, directories, imageSize),
            is32Bit ? default : Directory(counted, 3, directories, imageSize),
            Directory(counted, 6, directories, imageSize))
        {
            Is32Bit = is32Bit,
        };
        ushort optionalSize = BinaryPrimitives.ReadUInt16LittleEndian(nt[0x14..]);
        headers.ReadSections(memory, imageBase + offset + 0x18 + optionalSize, BinaryPrimitives.ReadUInt16LittleEndian(nt[6..]));
        return headers;
    }

    /// <summary>Whether the address lies in a section of code.</summary>
    public bool IsCode(uint rva) => IsIn(_code, rva);

    /// <summary>Whether the address lies in a section that the program may write to.</summary>
    public bool IsWritable(uint rva) => IsIn(_data, rva);

    private static bool IsIn(List<(uint Start, uint End)> sections, uint rva)
    {
        foreach ((uint start, uint end) in sections)
        {
            if (rva >= start && rva < end)
            {
                return true;
            }
        }

        return false;
    }

    /// <param name="counted">The directories, from the number of them on.</param>
    /// <param name="index">Which.</param>
    /// <param name="directories">How many there are.</param>
    /// <param name="imageSize">In bytes.</param>
    private static PeDirectory Directory(ReadOnlySpan<byte> counted, int index, uint directories, ulong imageSize)
    {
        ReadOnlySpan<byte> entry = counted[(4 + (index * 8))..];
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
            (uint Start, uint End) extent = (rva, unchecked(rva + size) < rva ? uint.MaxValue : rva + size);
            uint flags = BinaryPrimitives.ReadUInt32LittleEndian(section[36..]);
            if ((flags & Executable) != 0)
            {
                _code.Add(extent);
            }

            if ((flags & Writable) != 0)
            {
                _data.Add(extent);
            }
        }
    }
}
