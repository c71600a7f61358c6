using HangTriage.Facts;

namespace HangTriage.Traces.Timeline;

/// <summary>The threads of a trace by id. Ids are used again: one id may stand for several threads, one after the other.</summary>
internal sealed class ThreadTable(TraceLimits limits)
{
    private readonly ThreadIds _current = new();
    private readonly List<ThreadLine> _all = [];

    /// <summary>Threads that found no room.</summary>
    public long Dropped { get; private set; }

    public IReadOnlyList<ThreadLine> All => _all;

    /// <summary>The thread that has the id now; one that is met for the first time is there since the window's start. Null where there is no room.</summary>
    public ThreadLine? Get(uint tid) => _current.Find(tid) ?? Add(tid, from: 0);

    /// <summary>As <see cref="Get"/>; where the thread with the id has ended, another one has it, whose start is not in the trace.</summary>
    public ThreadLine? Live(uint tid, long now)
    {
        ThreadLine? line = Get(tid);
        return line is { State: TraceThreadState.Ended } ? Add(tid, now) : line;
    }

    /// <summary>The thread that has the id now; null where none was met.</summary>
    public ThreadLine? Find(uint tid) => _current.Find(tid);

    /// <summary>A new thread takes the id.</summary>
    public ThreadLine? Start(uint tid, long now)
    {
        if (Add(tid, now) is not { } line)
        {
            return null;
        }

        line.IsStartSeen = true;
        return line;
    }

    private ThreadLine? Add(uint tid, long from)
    {
        if (_all.Count >= limits.Threads)
        {
            Dropped++;
            return null;
        }

        ThreadLine line = new(tid, from);
        _current.Set(tid, line);
        _all.Add(line);
        return line;
    }
}
