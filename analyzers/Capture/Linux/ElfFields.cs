using System.Buffers.Binary;

namespace HangTriage.Capture.Linux;

/// <summary>The parts of a little-endian ELF file that are needed here, at the offsets of its class (32 or 64 bits).</summary>
internal sealed class ElfFields
{
    private const int IdentSize = 16;
    private const int HeaderSize64 = 64;
    private const int HeaderSize32 = 52;
    private const ushort ExtendedProgramHeaderCount = 0xFFFF;

    private readonly Stream _file;

    private ElfFields(Stream file, bool is64Bit, ushort type, ushort machine, ulong programHeaders, uint programHeaderCount)
    {
        _file = file;
        Is64Bit = is64Bit;
        Type = type;
        Machine = machine;
        ProgramHeadersOffset = programHeaders;
        ProgramHeaderCount = programHeaderCount;
    }

    public bool Is64Bit { get; }

    /// <summary>e_type: 3 a shared object, 4 a core.</summary>
    public ushort Type { get; }

    /// <summary>e_machine: 62 x64.</summary>
    public ushort Machine { get; }

    public ulong ProgramHeadersOffset { get; }

    public uint ProgramHeaderCount { get; }

    public int ProgramHeaderSize => Is64Bit ? 56 : 32;

    /// <exception cref="InvalidDataException">No little-endian ELF file with a complete header; the message says what is wrong.</exception>
    public static ElfFields Open(Stream file)
    {
        byte[] header = Read(file, 0, HeaderSize64, atLeast: IdentSize);
        if (!header.AsSpan().StartsWith("\u007fELF"u8))
        {
            throw new InvalidDataException("it does not start with the mark of an ELF file");
        }

        bool is64Bit = header[4] switch
        {
            1 => false,
            2 => true,
            byte other => throw new InvalidDataException($"its ELF class is {other}; 1 and 2 are known"),
        };
        if (header[5] != 1)
        {
            throw new InvalidDataException($"its ELF byte order is {header[5]}; only 1 (little-endian) is read");
        }

        if (header.Length < (is64Bit ? HeaderSize64 : HeaderSize32))
        {
            throw new InvalidDataException($"it ends within the ELF header, after {header.Length} bytes");
        }

        ushort type = U16(header, 16);
        ulong offset = is64Bit ? U64(header, 32) : U32(header, 28);
        uint count = U16(header, is64Bit ? 56 : 44);
        if (count == ExtendedProgramHeaderCount)
        {
            // More headers than 16 bits count: the first section header's sh_info has the number.
            ulong sections = is64Bit ? U64(header, 40) : U32(header, 32);
            byte[] section = Read(file, sections, is64Bit ? 64 : 40, atLeast: is64Bit ? 64 : 40);
            count = U32(section, is64Bit ? 44 : 28);
        }

        return new ElfFields(file, is64Bit, type, U16(header, 18), offset, count);
    }

    /// <exception cref="InvalidDataException">More headers than the limit, or the file ends before them.</exception>
    public IReadOnlyList<ElfSegment> Segments(int limit)
    {
        if (ProgramHeaderCount > limit)
        {
            throw new InvalidDataException($"it states {ProgramHeaderCount} program headers; the limit is {limit}");
        }

        int size = ProgramHeaderSize;
        byte[] table = Read(_file, ProgramHeadersOffset, (int)ProgramHeaderCount * size, atLeast: (int)ProgramHeaderCount * size);
        ElfSegment[] segments = new ElfSegment[ProgramHeaderCount];
        for (int i = 0; i < segments.Length; i++)
        {
            ReadOnlySpan<byte> entry = table.AsSpan(i * size, size);
            segments[i] = Is64Bit
                ? new ElfSegment(U32(entry, 0), U64(entry, 8), U64(entry, 16), U64(entry, 32), U64(entry, 40)) { Flags = U32(entry, 4) }
                : new ElfSegment(U32(entry, 0), U32(entry, 4), U32(entry, 8), U32(entry, 16), U32(entry, 20)) { Flags = U32(entry, 24) };
        }

        return segments;
    }

    /// <exception cref="InvalidDataException">Larger than the limit, or beyond the file's end.</exception>
    public byte[] Contents(ElfSegment segment, int limit)
        => segment.FileSize > (ulong)limit
            ? throw new InvalidDataException($"it states notes of {segment.FileSize} bytes; the limit is {limit}")
            : Read(_file, segment.FileOffset, (int)segment.FileSize, atLeast: (int)segment.FileSize);

    public static ushort U16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);

    public static uint U32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);

    public static ulong U64(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt64LittleEndian(bytes[at..]);

    private static byte[] Read(Stream file, ulong offset, int count, int atLeast)
    {
        if (offset > (ulong)file.Length || file.Length - (long)offset < atLeast)
        {
            throw new InvalidDataException($"it ends at {file.Length} bytes, before the {atLeast} bytes at 0x{offset:x} that its headers state");
        }

        file.Position = (long)offset;
        byte[] bytes = new byte[Math.Min(count, file.Length - (long)offset)];
        file.ReadExactly(bytes);
        return bytes;
    }
}
