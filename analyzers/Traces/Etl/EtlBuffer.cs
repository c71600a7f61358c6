namespace HangTriage.Traces.Etl;

/// <summary>One unpacked buffer, whose events are handed out in the order of time.</summary>
internal sealed class EtlBuffer
{
    private readonly byte[] _bytes;
    private readonly int _end;
    private readonly ushort _processor;
    private (long Time, int Offset)[] _events = [];
    private int _count;
    private int _next;

    private EtlBuffer(byte[] bytes, int end, ushort processor)
    {
        _bytes = bytes;
        _end = end;
        _processor = processor;
    }

    /// <summary>Bytes that it occupies.</summary>
    public long Size => _bytes.Length + (_events.LongLength * 16);

    /// <summary>The events end before the header says so: what follows is no event.</summary>
    public bool IsCutOff { get; private set; }

    public bool IsAtEnd => _next >= _count;

    /// <summary>The time of the next event, in the session's clock.</summary>
    public long NextTime => _events[_next].Time;

    /// <summary>Reads and unpacks a buffer; null where it cannot be unpacked.</summary>
    public static EtlBuffer? Load(EtlSource source, EtlPlace place)
    {
        byte[] stored = new byte[place.Available];
        int read = source.Read(place.Offset, stored);
        if (!place.Header.IsCompressed)
        {
            EtlBuffer plain = new(stored, Math.Min((int)place.Header.End, read), place.Header.Processor);
            plain.Find(read < place.Header.End);
            return plain;
        }

        byte[] bytes = new byte[place.Header.End];
        int unpacked = read <= EtlBufferHeader.Length ? -1 : Xpress.Unpack(stored.AsSpan(EtlBufferHeader.Length, read - EtlBufferHeader.Length), bytes.AsSpan(EtlBufferHeader.Length));
        if (unpacked < 0)
        {
            return null;
        }

        EtlBuffer buffer = new(bytes, EtlBufferHeader.Length + unpacked, place.Header.Processor);
        buffer.Find(EtlBufferHeader.Length + unpacked < bytes.Length);
        return buffer;
    }

    /// <summary>The next event; the one after it is next then.</summary>
    public EtlEvent Take() => EtlEventReader.Read(_bytes.AsSpan(_events[_next++].Offset, _end - _events[_next - 1].Offset), _processor);

    private void Find(bool isCutOff)
    {
        const int TypicalEvent = 48;
        _events = new (long, int)[Math.Max(_bytes.Length / TypicalEvent, 16)];
        bool isOrdered = true;
        int at = EtlBufferHeader.Length;
        long last = long.MinValue;
        while (at < _end && EtlEventReader.TryMeasure(_bytes.AsSpan(at, _end - at), out int size, out long time))
        {
            if (at + size > _end + EtlEventReader.Alignment)
            {
                isCutOff = true;
                break;
            }

            Add(time, at);
            isOrdered &= time >= last;
            last = time;
            at += size;
        }

        IsCutOff = isCutOff || (at + EtlEventReader.HeadLength < _end && _bytes.AsSpan(at, 4).ContainsAnyExcept((byte)0) && _bytes.AsSpan(at, 4).ContainsAnyExcept((byte)0xFF));
        if (!isOrdered)
        {
            Array.Sort(_events, 0, _count);
        }
    }

    private void Add(long time, int offset)
    {
        if (_count == _events.Length)
        {
            Array.Resize(ref _events, _count * 2);
        }

        _events[_count++] = (time, offset);
    }
}
