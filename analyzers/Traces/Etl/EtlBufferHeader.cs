using System.Buffers.Binary;

namespace HangTriage.Traces.Etl;

/// <summary>
/// WMI_BUFFER_HEADER, little endian. Fields beyond the public ntwmi.h (flags, compressed buffers) as observed in traces of
/// Windows 8 and later.
/// </summary>
internal readonly record struct EtlBufferHeader
{
    /// <summary>Its length, in bytes; the events follow.</summary>
    public const int Length = 0x48;

    private const ushort Compressed = 0x40;
    private const ushort WideProcessor = 0x20;
    private const int SavedOffset = 0x04;
    private const int SequenceOffset = 0x18;
    private const int ProcessorOffset = 0x28;
    private const int EndOffset = 0x30;
    private const int FlagOffset = 0x34;

    private readonly ushort _flags;

    private EtlBufferHeader(ReadOnlySpan<byte> bytes)
    {
        Size = BinaryPrimitives.ReadUInt32LittleEndian(bytes);
        uint saved = BinaryPrimitives.ReadUInt32LittleEndian(bytes[SavedOffset..]);
        Sequence = BinaryPrimitives.ReadInt64LittleEndian(bytes[SequenceOffset..]);
        ushort processor = BinaryPrimitives.ReadUInt16LittleEndian(bytes[ProcessorOffset..]);
        uint end = BinaryPrimitives.ReadUInt32LittleEndian(bytes[EndOffset..]);
        _flags = BinaryPrimitives.ReadUInt16LittleEndian(bytes[FlagOffset..]);
        Processor = (_flags & WideProcessor) != 0 ? processor : (byte)processor;
        End = IsCompressed || (saved > Length && saved <= Size) ? saved : end;
    }

    /// <summary>Bytes of the buffer in the file, with this header.</summary>
    public uint Size { get; }

    /// <summary>Where the events end in the unpacked buffer, in bytes from its start.</summary>
    public uint End { get; }

    /// <summary>The buffer's number in its session.</summary>
    public long Sequence { get; }

    /// <summary>The processor that wrote the events.</summary>
    public ushort Processor { get; }

    /// <summary>What follows the header is compressed with XPRESS (plain LZ77).</summary>
    public bool IsCompressed => (_flags & Compressed) != 0;

    /// <param name="bytes">At least <see cref="Length"/> bytes.</param>
    public static EtlBufferHeader Read(ReadOnlySpan<byte> bytes) => new(bytes);
}
