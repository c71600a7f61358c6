using System.Buffers.Binary;

namespace HangTriage.Traces.Etl;

/// <summary>
/// Reads the headers of events: SYSTEM_TRACE_HEADER, its compact form, PERFINFO_TRACE_HEADER, EVENT_TRACE_HEADER and
/// EVENT_HEADER, each in a 32-bit and a 64-bit kind. Bytes 2 and 3 say which.
/// </summary>
internal static class EtlEventReader
{
    /// <summary>Events begin at multiples of this, in bytes.</summary>
    public const int Alignment = 8;

    /// <summary>As much of a buffer's first event as its time needs, in bytes.</summary>
    public const int HeadLength = 24;

    private const byte TraceMark = 0x80;
    private const byte TypeMark = 0x40;
    private const int SystemPayload = 32;
    private const int CompactPayload = 24;
    private const int PerfInfoPayload = 16;
    private const int ClassicPayload = 0x30;
    private const int ManifestPayload = 0x50;
    private const int GuidOffset = 0x18;
    private const ushort HasExtendedData = 1;

    /// <summary>False where no event of a known kind begins here.</summary>
    /// <param name="bytes">From the event's start to the buffer's end.</param>
    /// <param name="size">Bytes to the next event.</param>
    /// <param name="time">In the session's clock.</param>
    public static bool TryMeasure(ReadOnlySpan<byte> bytes, out int size, out long time)
    {
        size = 0;
        time = 0;
        if (bytes.Length < HeadLength || (bytes[3] & (TraceMark | TypeMark)) != (TraceMark | TypeMark) || BinaryPrimitives.ReadUInt32LittleEndian(bytes) == uint.MaxValue)
        {
            return false;
        }

        int type = bytes[2];
        bool isSystem = type is >= 1 and <= 4;
        bool isPerfInfo = type is 16 or 17;
        if (!isSystem && !isPerfInfo && type is not (10 or 20 or 18 or 19))
        {
            return false;
        }

        int length = BinaryPrimitives.ReadUInt16LittleEndian(isSystem || isPerfInfo ? bytes[4..] : bytes);
        time = BinaryPrimitives.ReadInt64LittleEndian(isPerfInfo ? bytes[8..] : bytes[16..]);
        size = (length + Alignment - 1) & -Alignment;
        return length >= PayloadOffset(type);
    }

    /// <summary>Reads an event that <see cref="TryMeasure"/> accepted.</summary>
    /// <param name="bytes">From the event's start to the buffer's end.</param>
    /// <param name="processor">The buffer's.</param>
    public static EtlEvent Read(ReadOnlySpan<byte> bytes, ushort processor) => bytes[2] switch
    {
        <= 4 => System(bytes, processor),
        16 or 17 => PerfInfo(bytes, processor),
        10 or 20 => Classic(bytes, processor),
        _ => Manifest(bytes, processor),
    };

    private static EtlEvent System(ReadOnlySpan<byte> bytes, ushort processor) => new()
    {
        Kind = EtlEventKind.Kernel,
        Time = BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]),
        Processor = processor,
        Id = BinaryPrimitives.ReadUInt16LittleEndian(bytes[6..]),
        Version = bytes[0],
        Tid = Thread(BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..])),
        Pid = Thread(BinaryPrimitives.ReadUInt32LittleEndian(bytes[12..])),
        PointerSize = bytes[2] is 1 or 3 ? 4 : 8,
        Payload = Payload(bytes, BinaryPrimitives.ReadUInt16LittleEndian(bytes[4..]), PayloadOffset(bytes[2])),
    };

    private static EtlEvent PerfInfo(ReadOnlySpan<byte> bytes, ushort processor) => new()
    {
        Kind = EtlEventKind.Kernel,
        Time = BinaryPrimitives.ReadInt64LittleEndian(bytes[8..]),
        Processor = processor,
        Id = BinaryPrimitives.ReadUInt16LittleEndian(bytes[6..]),
        Version = bytes[0],
        PointerSize = bytes[2] == 16 ? 4 : 8,
        Payload = Payload(bytes, BinaryPrimitives.ReadUInt16LittleEndian(bytes[4..]), PerfInfoPayload),
    };

    private static EtlEvent Classic(ReadOnlySpan<byte> bytes, ushort processor) => new()
    {
        Kind = EtlEventKind.Classic,
        Time = BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]),
        Processor = processor,
        Id = bytes[4],
        Version = bytes[6],
        Provider = new Guid(bytes.Slice(GuidOffset, 16)),
        Tid = Thread(BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..])),
        Pid = Thread(BinaryPrimitives.ReadUInt32LittleEndian(bytes[12..])),
        PointerSize = bytes[2] == 10 ? 4 : 8,
        Payload = Payload(bytes, BinaryPrimitives.ReadUInt16LittleEndian(bytes), ClassicPayload),
    };

    private static EtlEvent Manifest(ReadOnlySpan<byte> bytes, ushort processor)
    {
        int length = BinaryPrimitives.ReadUInt16LittleEndian(bytes);
        return new()
        {
            Kind = EtlEventKind.Manifest,
            Time = BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]),
            Processor = processor,
            Id = BinaryPrimitives.ReadUInt16LittleEndian(bytes[0x28..]),
            Version = bytes[0x2A],
            Provider = new Guid(bytes.Slice(GuidOffset, 16)),
            Tid = Thread(BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..])),
            Pid = Thread(BinaryPrimitives.ReadUInt32LittleEndian(bytes[12..])),
            PointerSize = bytes[2] == 18 ? 4 : 8,
            Payload = Payload(bytes, length, ManifestPayload + ExtendedData(bytes, length)),
        };
    }

    /// <summary>
    /// Bytes of EVENT_HEADER_EXTENDED_DATA_ITEMs in front of the payload: u16 size of the item with this header, u16 type,
    /// u16 whose lowest bit says that another item follows; each padded to 8 bytes.
    /// </summary>
    private static int ExtendedData(ReadOnlySpan<byte> bytes, int length)
    {
        const int ItemHeader = 8;
        if ((BinaryPrimitives.ReadUInt16LittleEndian(bytes[4..]) & HasExtendedData) == 0)
        {
            return 0;
        }

        int end = Math.Min(length, bytes.Length);
        int at = ManifestPayload;
        bool isMore = true;
        while (isMore && at + ItemHeader <= end)
        {
            int size = BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);
            isMore = (BinaryPrimitives.ReadUInt16LittleEndian(bytes[(at + 4)..]) & 1) != 0;
            if (size < ItemHeader)
            {
                return end - ManifestPayload;
            }

            at += (size + Alignment - 1) & -Alignment;
        }

        return at - ManifestPayload;
    }

    private static int PayloadOffset(int type) => type switch
    {
        1 or 2 => SystemPayload,
        3 or 4 => CompactPayload,
        16 or 17 => PerfInfoPayload,
        10 or 20 => ClassicPayload,
        _ => ManifestPayload,
    };

    private static ReadOnlySpan<byte> Payload(ReadOnlySpan<byte> bytes, int length, int offset)
    {
        int end = Math.Min(length, bytes.Length);
        return offset >= end ? default : bytes[offset..end];
    }

    /// <summary>All ones stand for "none".</summary>
    private static uint? Thread(uint id) => id == uint.MaxValue ? null : id;
}
