using System.Buffers.Binary;

namespace HangTriage.Traces.Etl;

/// <summary>
/// TRACE_LOGFILE_HEADER, the payload of the first event (hook 0). What follows LogFileName's and the time zone's places
/// begins at 0xF8 where pointers have 8 bytes, at 0xF0 where they have 4.
/// </summary>
internal sealed record EtlLogHeader
{
    /// <summary>As many bytes of the payload as are read.</summary>
    public const int Length = TimesWide + 32;

    private const int TimesWide = 0xF8;
    private const int TimesNarrow = 0xF0;
    private const long HundredNanoseconds = 10_000_000;
    private const long FastestClock = 100_000_000_000;

    /// <summary>Size of the session's buffers, in bytes.</summary>
    public required uint BufferSize { get; init; }

    public required uint Processors { get; init; }

    /// <summary>FILETIME at which the file was closed; 0 for a file that is open still.</summary>
    public required long EndTime { get; init; }

    /// <summary>Windows counts them as it closes the file.</summary>
    public required uint BuffersWritten { get; init; }

    public required int PointerSize { get; init; }

    public required uint EventsLost { get; init; }

    public required uint BuffersLost { get; init; }

    /// <summary>Ticks of the session's clock in a second.</summary>
    public required long Frequency { get; init; }

    /// <summary>FILETIME at which the session began.</summary>
    public required long StartTime { get; init; }

    /// <summary>The session's clock as the file states it: 1 performance counter, 2 system time, 3 cycle counter.</summary>
    public required uint ClockType { get; init; }

    /// <exception cref="TraceOpenException">The header contradicts itself.</exception>
    public static EtlLogHeader Read(ReadOnlySpan<byte> payload)
    {
        int pointer = payload.Length < TimesNarrow ? 0 : BinaryPrimitives.ReadInt32LittleEndian(payload[0x2C..]);
        int times = pointer == 4 ? TimesNarrow : TimesWide;
        if (pointer is not (4 or 8) || payload.Length < times + 32)
        {
            throw new TraceOpenException($"the trace's header says pointers of {pointer} bytes in {payload.Length} bytes, expected 4 or 8: it is damaged or cut off");
        }

        uint type = BinaryPrimitives.ReadUInt32LittleEndian(payload[(times + 24)..]);
        return new EtlLogHeader
        {
            BufferSize = BinaryPrimitives.ReadUInt32LittleEndian(payload),
            Processors = BinaryPrimitives.ReadUInt32LittleEndian(payload[0x0C..]),
            EndTime = BinaryPrimitives.ReadInt64LittleEndian(payload[0x10..]),
            BuffersWritten = BinaryPrimitives.ReadUInt32LittleEndian(payload[0x24..]),
            PointerSize = pointer,
            EventsLost = BinaryPrimitives.ReadUInt32LittleEndian(payload[0x30..]),
            Frequency = FrequencyOf(type, BinaryPrimitives.ReadInt64LittleEndian(payload[(times + 8)..]), BinaryPrimitives.ReadUInt32LittleEndian(payload[0x34..])),
            StartTime = BinaryPrimitives.ReadInt64LittleEndian(payload[(times + 16)..]),
            ClockType = type,
            BuffersLost = BinaryPrimitives.ReadUInt32LittleEndian(payload[(times + 28)..]),
        };
    }

    private static long FrequencyOf(uint type, long counter, uint megahertz)
    {
        long frequency = type switch { 2 => HundredNanoseconds, 3 => megahertz * 1_000_000L, _ => counter };
        return frequency is > 0 and <= FastestClock
            ? frequency
            : throw new TraceOpenException($"the trace's clock runs at {frequency} ticks a second, expected 1 to {FastestClock}: its header is damaged");
    }
}
