using System.Buffers;
using System.Runtime.CompilerServices;

namespace HangTriage.Traces.Etl;

/// <summary>One unpacked buffer, whose events are handed out in the order of time.</summary>
internal sealed class EtlBuffer : IDisposable
{
    /// <summary>Bytes of an event where a buffer has many.</summary>
    private const int TypicalEvent = 32;

    private readonly int _end;
    private byte[] _bytes;
    private EtlRecord[] _records = [];
    private int _count;

    private EtlBuffer(byte[] bytes, int end, ushort processor)
    {
        _bytes = bytes;
        _end = end;
        Processor = processor;
    }

    public ushort Processor { get; }

    /// <summary>Bytes that it occupies.</summary>
    public long Size => _end + ((long)_count * Unsafe.SizeOf<EtlRecord>());

    /// <summary>The events end before the header says so: what follows is no event.</summary>
    public bool IsCutOff { get; private set; }

    /// <summary>Events that were passed.</summary>
    public int Next { get; private set; }

    public bool IsAtEnd => Next >= _count;

    /// <summary>The time of the next event, in the session's clock.</summary>
    public long NextTime => _records[Next].Time;

    /// <summary>Reads and unpacks a buffer; null where it cannot be unpacked.</summary>
    public static EtlBuffer? Load(EtlSource source, EtlPlace place)
    {
        byte[] stored = ArrayPool<byte>.Shared.Rent(place.Available);
        int read = source.Read(place.Offset, stored.AsSpan(0, place.Available));
        EtlBuffer? buffer;
        if (place.Header.IsCompressed)
        {
            buffer = Unpack(stored.AsSpan(0, read), place);
            ArrayPool<byte>.Shared.Return(stored);
        }
        else
        {
            buffer = new(stored, Math.Min((int)place.Header.End, read), place.Header.Processor) { IsCutOff = read < place.Header.End };
        }

        buffer?.Find();
        return buffer;
    }

    /// <summary>Passes the next event, and those behind it that are before the limit.</summary>
    public void Pass(long limit)
    {
        ReadOnlySpan<EtlRecord> rest = _records.AsSpan(Next, _count - Next);
        int passed = 1;
        while (passed < rest.Length && rest[passed].Time < limit)
        {
            passed++;
        }

        Next += passed;
    }

    public ReadOnlySpan<EtlRecord> Records(int first, int count) => _records.AsSpan(first, count);

    public EtlEvent EventOf(in EtlRecord record) => EtlEventReader.Read(_bytes.AsSpan(record.Offset, _end - record.Offset), Processor);

    /// <summary>Gives its memory back; nothing of it may be used any more.</summary>
    public void Dispose()
    {
        ArrayPool<byte>.Shared.Return(_bytes);
        ArrayPool<EtlRecord>.Shared.Return(_records);
        _bytes = [];
        _records = [];
    }

    private static EtlBuffer? Unpack(ReadOnlySpan<byte> stored, EtlPlace place)
    {
        int length = (int)place.Header.End;
        byte[] bytes = ArrayPool<byte>.Shared.Rent(length);
        int unpacked = stored.Length <= EtlBufferHeader.Length ? -1 : Xpress.Unpack(stored[EtlBufferHeader.Length..], bytes.AsSpan(EtlBufferHeader.Length, length - EtlBufferHeader.Length));
        if (unpacked >= 0)
        {
            return new EtlBuffer(bytes, EtlBufferHeader.Length + unpacked, place.Header.Processor) { IsCutOff = EtlBufferHeader.Length + unpacked < length };
        }

        ArrayPool<byte>.Shared.Return(bytes);
        return null;
    }

    private void Find()
    {
        ReadOnlySpan<byte> bytes = _bytes.AsSpan(0, _end);
        EtlRecord[] records = ArrayPool<EtlRecord>.Shared.Rent(Math.Max(_end / TypicalEvent, 16));
        int count = 0;
        bool isOrdered = true;
        int at = EtlBufferHeader.Length;
        long last = long.MinValue;
        while (at < bytes.Length && EtlEventReader.TryMeasure(bytes[at..], out int size, out long time))
        {
            if (at + size > bytes.Length + EtlEventReader.Alignment)
            {
                IsCutOff = true;
                break;
            }

            if (count == records.Length)
            {
                records = Grow(records);
            }

            records[count++] = new EtlRecord(bytes[at..], time, at);
            isOrdered &= time >= last;
            last = time;
            at += size;
        }

        _records = records;
        _count = count;
        IsCutOff |= at + EtlEventReader.HeadLength < _end && bytes.Slice(at, 4).ContainsAnyExcept((byte)0) && bytes.Slice(at, 4).ContainsAnyExcept((byte)0xFF);
        if (!isOrdered)
        {
            records.AsSpan(0, count).Sort(static (left, right) => left.Time != right.Time ? left.Time.CompareTo(right.Time) : left.Offset.CompareTo(right.Offset));
        }
    }

    private static EtlRecord[] Grow(EtlRecord[] records)
    {
        EtlRecord[] grown = ArrayPool<EtlRecord>.Shared.Rent(records.Length * 2);
        records.CopyTo(grown, 0);
        ArrayPool<EtlRecord>.Shared.Return(records);
        return grown;
    }
}
