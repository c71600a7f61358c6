namespace HangTriage.Traces.Etl;

/// <summary>Runs of events in the order of time, from the thread that merges buffers to the one that decodes.</summary>
internal sealed class EtlBatch
{
    /// <summary>Events that are handed over at once.</summary>
    private const int EnoughEvents = 16 * 1024;

    /// <summary>Bytes of ended buffers that wait to be let go.</summary>
    private const long EnoughBytes = 4 << 20;

    private readonly List<(EtlBuffer Buffer, int First, int Count)> _runs = new(EnoughEvents / 2);
    private readonly List<EtlBuffer> _ended = [];
    private int _events;
    private long _endedBytes;

    public bool IsFull => _events >= EnoughEvents || _endedBytes >= EnoughBytes;

    /// <summary>The buffer's next event, and those behind it that are before the limit.</summary>
    public void Take(EtlBuffer buffer, long limit)
    {
        int first = buffer.Next;
        buffer.Pass(limit);
        _runs.Add((buffer, first, buffer.Next - first));
        _events += buffer.Next - first;
    }

    /// <summary>Gives the buffer's memory back once the events were handed out.</summary>
    public void End(EtlBuffer buffer)
    {
        _ended.Add(buffer);
        _endedBytes += buffer.Size;
    }

    /// <summary>Hands out the events; nothing of them may be used afterwards.</summary>
    public void HandOut(EtlRunHandler handler)
    {
        foreach ((EtlBuffer buffer, int first, int count) in _runs)
        {
            handler(buffer, buffer.Records(first, count));
        }

        _ended.ForEach(buffer => buffer.Dispose());
        _runs.Clear();
        _ended.Clear();
        _events = 0;
        _endedBytes = 0;
    }
}
