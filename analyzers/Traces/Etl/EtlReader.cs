using HangTriage.Facts;

namespace HangTriage.Traces.Etl;

/// <summary>
/// Reads an .etl file as a stream of events in the order of time. Each processor (and each session of a merged file) has
/// its own buffers; a buffer is unpacked when the stream reaches its first event and let go after its last, so memory is
/// bounded by the buffers that overlap in time, whatever the file's size.
/// </summary>
internal sealed class EtlReader
{
    private readonly EtlSource _source;
    private readonly TraceContext _context;
    private readonly PriorityQueue<EtlBuffer, (long Time, int Order)> _open = new();
    private readonly List<Gap> _gaps = [];
    private long _openBytes;
    private long _passed;
    private int _unreadable;
    private int _cutOff;
    private int _crowded;

    private EtlReader(EtlSource source, EtlLogHeader log, long firstTime, TraceContext context)
    {
        _source = source;
        _context = context;
        Log = log;
        Clock = new EtlClock(log, firstTime);
    }

    public EtlLogHeader Log { get; }

    public EtlClock Clock { get; }

    /// <summary>What of the file could not be read; whole once all events were read.</summary>
    public IReadOnlyList<Gap> Gaps => _gaps;

    /// <exception cref="TraceOpenException">The file does not begin as a trace does, or cannot be read.</exception>
    public static EtlReader Open(EtlSource source, TraceContext context)
    {
        byte[] head = new byte[EtlBufferHeader.Length + EtlEventReader.HeadLength + 64 + EtlLogHeader.Length];
        int read = source.Read(0, head);
        if (TraceRecognizer.Recognize(head.AsSpan(0, read)) != TraceFormat.Etl || !EtlEventReader.TryMeasure(head.AsSpan(EtlBufferHeader.Length, read - EtlBufferHeader.Length), out _, out long time))
        {
            throw new TraceOpenException("not an .etl file: it does not begin with a header buffer");
        }

        EtlEvent first = EtlEventReader.Read(head.AsSpan(EtlBufferHeader.Length, read - EtlBufferHeader.Length), 0);
        return new EtlReader(source, EtlLogHeader.Read(first.Payload), time, context);
    }

    /// <summary>Hands every event to the handler.</summary>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    /// <exception cref="TraceOpenException">The file cannot be read any more.</exception>
    public void ReadAll(EtlEventHandler handler)
    {
        EtlIndex index = EtlIndex.Read(_source, Log, _context);
        _gaps.AddRange(index.Gaps);
        int next = 0;
        while (next < index.Places.Count || _open.Count > 0)
        {
            while (next < index.Places.Count && (_open.Count == 0 || index.Places[next].First <= _open.Peek().NextTime))
            {
                Open(index.Places[next], next, index.Places.Count);
                next++;
            }

            if (_open.TryDequeue(out EtlBuffer? buffer, out (long Time, int Order) key))
            {
                long limit = Math.Min(next < index.Places.Count ? index.Places[next].First : long.MaxValue, _open.Count > 0 ? _open.Peek().NextTime : long.MaxValue);
                Drain(buffer, key.Order, limit, handler);
            }
        }

        Describe();
    }

    /// <summary>Hands out a buffer's events up to the time at which another buffer's turn is.</summary>
    private void Drain(EtlBuffer buffer, int order, long limit, EtlEventHandler handler)
    {
        do
        {
            handler(buffer.Take());
        }
        while (!buffer.IsAtEnd && buffer.NextTime < limit);

        if (buffer.IsAtEnd)
        {
            _openBytes -= buffer.Size;
        }
        else
        {
            _open.Enqueue(buffer, (buffer.NextTime, order));
        }
    }

    private void Open(EtlPlace place, int order, int count)
    {
        _context.Cancellation.ThrowIfCancellationRequested();
        _passed += place.Available;
        if (order % 64 == 0)
        {
            _context.Progress?.Report($"reading the trace: {100L * order / count} % ({_passed >> 20} MB)");
        }

        if (_openBytes + Math.Max(place.Header.End, place.Header.Size) > _context.Limits.OpenBytes)
        {
            _crowded++;
            return;
        }

        if (EtlBuffer.Load(_source, place) is not { IsAtEnd: false } buffer)
        {
            _unreadable++;
            return;
        }

        _cutOff += buffer.IsCutOff ? 1 : 0;
        _openBytes += buffer.Size;
        _open.Enqueue(buffer, (buffer.NextTime, order));
    }

    private void Describe()
    {
        Add(_unreadable, "damaged buffers", "cannot be unpacked");
        Add(_cutOff, "ends of buffers", "hold something behind their events that is none, or are cut off");
        Add(_crowded, "buffers that overlap", $"overlap in time with others of more than {_context.Limits.OpenBytes >> 20} MB and are left out");
        if (Log.EndTime == 0 || Log.BuffersWritten == 0)
        {
            _gaps.Add(new Gap("end of the trace", "the recording was not stopped when the file was copied: it has no end time, and the last buffers are missing"));
        }
    }

    private void Add(int count, string what, string why)
    {
        if (count > 0)
        {
            _gaps.Add(new Gap(what, $"{count} buffers {why}") { IsLoss = true });
        }
    }
}
