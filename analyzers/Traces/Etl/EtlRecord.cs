using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace HangTriage.Traces.Etl;

/// <summary>
/// An event of a buffer: when, where, and for events with the short header of the kernel's frequent events
/// (PERFINFO_TRACE_HEADER, 64-bit) what they are and the first 16 bytes of their payload.
/// </summary>
internal readonly struct EtlRecord
{
    /// <summary>Bytes of the payload that <see cref="Low"/> and <see cref="High"/> hold.</summary>
    private const int HeldBytes = 16;
    private const byte ShortHeader64 = 17;
    private const int ShortHeaderLength = 16;
    private const int LengthOffset = 4;
    private const int HookOffset = 6;

    /// <param name="bytes">From the event's start to the buffer's end.</param>
    /// <param name="time">In the session's clock.</param>
    /// <param name="offset">In the unpacked buffer.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public EtlRecord(ReadOnlySpan<byte> bytes, long time, int offset)
    {
        Time = time;
        Offset = offset;
        if (bytes.Length >= ShortHeaderLength + HeldBytes && bytes[2] == ShortHeader64)
        {
            Length = (ushort)(BinaryPrimitives.ReadUInt16LittleEndian(bytes[LengthOffset..]) - ShortHeaderLength);
            Hook = BinaryPrimitives.ReadUInt16LittleEndian(bytes[HookOffset..]);
            Low = BinaryPrimitives.ReadUInt64LittleEndian(bytes[ShortHeaderLength..]);
            High = BinaryPrimitives.ReadUInt64LittleEndian(bytes[(ShortHeaderLength + sizeof(ulong))..]);
        }
    }

    public long Time { get; }

    public int Offset { get; }

    /// <summary>Group &lt;&lt; 8 | opcode; 0 where the event has another header.</summary>
    public ushort Hook { get; }

    /// <summary>Bytes of the payload; 0 where the event has another header.</summary>
    public ushort Length { get; }

    /// <summary>Bytes 0 to 7 of the payload. Behind the payload's end they are of the next event.</summary>
    public ulong Low { get; }

    /// <summary>Bytes 8 to 15 of the payload.</summary>
    public ulong High { get; }
}
