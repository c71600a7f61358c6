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
    private readonly EtlMerge _open = new();
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
    public void ReadAll(EtlRunHandler handler)
    {
        EtlIndex index = EtlIndex.Read(_source, Log, _context);
        _gaps.AddRange(index.Gaps);
        EtlPipe.Run(pipe => Merge(index.Places, pipe), handler);
        Describe();
    }

    private void Merge(IReadOnlyList<EtlPlace> places, EtlPipe pipe)
    {
        EtlBatch batch = pipe.Empty();
        int next = 0;
        while (next < places.Count || _open.Count > 0)
        {
            while (next < places.Count && (_open.Count == 0 || places[next].First <= _open.FirstTime))
            {
                Open(places[next], next, places.Count);
                next++;
            }

            Drain(next < places.Count ? places[next].First : null, batch);
            if (batch.IsFull)
            {
                pipe.Add(batch);
                batch = pipe.Empty();
            }
        }

        pipe.Add(batch);
    }

    /// <summary>Takes the events up to the time at which another buffer is to be opened, or the batch is full; null where there is none.</summary>
    private void Drain(long? opening, EtlBatch batch)
    {
        long end = opening ?? long.MaxValue;
        while (!batch.IsFull && _open.Count > 0 && (_open.FirstTime < end || opening is null))
        {
            EtlBuffer buffer = _open.First;
            batch.Take(buffer, Math.Min(end, _open.SecondTime));
            if (buffer.IsAtEnd)
            {
                _open.RemoveFirst();
                _openBytes -= buffer.Size;
                batch.End(buffer);
            }
            else
            {
                _open.Renew();
            }
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
        }
        else if (EtlBuffer.Load(_source, place) is not { IsAtEnd: false } buffer)
        {
            _unreadable++;
        }
        else
        {
            _cutOff += buffer.IsCutOff ? 1 : 0;
            _openBytes += buffer.Size;
            _open.Add(buffer, order);
        }
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
