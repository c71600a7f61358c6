using HangTriage.Facts;

namespace HangTriage.Traces.Timeline;

/// <summary>
/// Follows each thread from state to state. Running is from switched in to switched out; ready from readied, or from
/// switched out while ready, to switched in; waiting is the rest.
/// </summary>
internal sealed class Scheduler(ThreadTable threads, StackJoin stacks, WaitLedger ledger)
{
    /// <summary>Processor numbers beyond it are damage; Windows has at most 2,048.</summary>
    private const int MostProcessors = 4096;

    /// <summary>Who ran meanwhile is looked at for times that are a hang's share, in steps of 100 ns (100 ms).</summary>
    private const long LongEnough = 100 * TimeSpan.TicksPerMillisecond;

    private readonly ThreadLine?[] _running = new ThreadLine?[MostProcessors];
    private readonly long[] _lastSwitch = new long[MostProcessors];

    public long Switches { get; private set; }

    /// <summary>Null where no moment was asked for.</summary>
    public AroundSpan? Around { get; set; }

    /// <summary>Readied threads.</summary>
    public long Readies { get; private set; }

    /// <summary>Switches that contradict those before them: events between them are missing.</summary>
    public long Contradictions { get; private set; }

    /// <summary>Some thread had a rank other than 0.</summary>
    public bool HasRanks { get; private set; }

    /// <summary>The thread on a processor; null for an idle one, or where it is unknown.</summary>
    public ThreadLine? On(int processor) => processor is >= 0 and < MostProcessors ? _running[processor] : null;

    public void Move(in Switch to, long now)
    {
        if (to.Processor is < 0 or >= MostProcessors)
        {
            Contradictions++;
            return;
        }

        Switches++;
        ThreadLine? before = _running[to.Processor];
        if (before is not null && before.Tid != to.Old && before.State == TraceThreadState.Running && before.Processor == to.Processor)
        {
            Contradictions++;
            Out(before, Math.Max(before.Since, _lastSwitch[to.Processor]), reason: null, isReady: false);
        }

        if (to.Old != 0 && threads.Live(to.Old, now) is { } old)
        {
            old.Rank = to.OldRank ?? old.Rank;
            old.Priority = to.OldPriority ?? old.Priority;
            HasRanks |= to.OldRank > 0;
            if (old.State != TraceThreadState.Running && old.IsSeen)
            {
                Supply(old, Math.Max(old.Since, _lastSwitch[to.Processor]));
            }

            Out(old, now, to.OldReason, to.IsOldReady);
        }

        _lastSwitch[to.Processor] = now;
        _running[to.Processor] = to.New == 0 ? null : threads.Live(to.New, now);
        if (_running[to.Processor] is { } line)
        {
            In(line, to, now);
        }
    }

    /// <summary>A thread is made ready by what runs on a processor.</summary>
    public void Ready(ThreadLine? line, in Readied readied, long now)
    {
        Readies++;
        if (line is { State: TraceThreadState.Running })
        {
            line.EarlyReady = readied;
            line.CountPartner(readied);
        }
        else if (line is { State: TraceThreadState.Waiting })
        {
            EndWait(line, now, readied);
            Enter(line, TraceThreadState.Ready, now);
            line.LastReady = readied;
            line.CountPartner(readied);
        }
    }

    /// <summary>Closes every thread's time.</summary>
    public void Finish(long end)
    {
        foreach (ThreadLine line in threads.All)
        {
            // A thread that ended and was not switched out any more within the trace.
            line.To = line.IsEndSeen ? Math.Max(line.To ?? end, line.Since) : line.To;
            Close(line, line.To ?? end);
        }
    }

    /// <summary>Adds a thread's time up to the moment, without a change of its state.</summary>
    public void Close(ThreadLine line, long end)
    {
        if (line.State == TraceThreadState.Waiting)
        {
            KeepLongest(line, end, isOpen: true, by: null);
        }
        else if (line.State == TraceThreadState.Ready && end - line.Since > (line.LongestReady?.Length ?? 0))
        {
            line.LongestReady = Long(line, end, isOpen: true);
        }

        Enter(line, line.State, end);
    }

    /// <summary>
    /// A thread is switched out whose switch-in is missing (recorders lose some): it ran since the switch before on its
    /// processor, as <c>perf sched timehist</c> counts, too.
    /// </summary>
    private void Supply(ThreadLine line, long since)
    {
        Contradictions++;
        if (line.State == TraceThreadState.Waiting)
        {
            EndWait(line, since, readied: null);
        }

        Enter(line, TraceThreadState.Running, since);
    }

    private void Out(ThreadLine line, long now, string? reason, bool isReady)
    {
        // Whoever is switched out and was never met ran since the window's start.
        line.State = line.IsSeen ? line.State : TraceThreadState.Running;
        bool isReadyNow = isReady || line.EarlyReady is not null;
        Enter(line, isReadyNow ? TraceThreadState.Ready : TraceThreadState.Waiting, now);
        line.LastReady = null;
        if (line.EarlyReady is { } early)
        {
            line.LastReady = early;
            line.EarlyReady = null;
        }

        line.OutAt = now;
        ReasonCount? count = reason is null ? null : line.For(reason);
        line.OutFor = count;
        if (count is not null)
        {
            count.Count++;
            count.IsReady |= isReady;
        }

        if (line.IsEndSeen)
        {
            line.To = now;
            line.State = TraceThreadState.Ended;
        }
    }

    private void In(ThreadLine line, in Switch to, long now)
    {
        if (line.State == TraceThreadState.Running && line.IsSeen)
        {
            Contradictions++;
        }

        if (line.State == TraceThreadState.Waiting)
        {
            EndWait(line, now, readied: null);
        }

        line.Priority = to.NewPriority;
        if (line.State == TraceThreadState.Ready && now - line.Since > (line.LongestReady?.Length ?? 0))
        {
            line.LongestReady = Long(line, now, isOpen: false);
        }

        if (line.OutAt is { } outAt && line.OutFor is { } count)
        {
            count.Time += now - outAt;
        }

        if (line.LongestWait is { IsOpen: false } wait && wait.From == line.WaitedSince && wait.By == line.LastReady)
        {
            stacks.Ask(to.Stamp, line.Tid, wait);
        }

        Enter(line, TraceThreadState.Running, now);
        line.Switches++;
        line.Processor = to.Processor;
    }

    private void EndWait(ThreadLine line, long now, in Readied? readied)
    {
        if (line.OutAt is { } outAt && readied is { IsDeferred: false, By: { } by })
        {
            ledger.Add(line, by, outAt, now);
        }

        KeepLongest(line, now, isOpen: false, readied);
    }

    private static void KeepLongest(ThreadLine line, long now, bool isOpen, in Readied? by)
    {
        if (line.IsLongestWait(now))
        {
            line.LongestWait = new LongWait(line.WaitedSince, now - line.WaitedSince, line.OutAt is null ? null : line.Reason, isOpen, by);
        }
    }

    private LongReady Long(ThreadLine line, long end, bool isOpen)
        => new(line.Since, end - line.Since, isOpen, line.Priority, line.Rank, line.LastReady, end - line.Since < LongEnough ? null : Runners.Of(threads.All, line, HasRanks));

    private void Enter(ThreadLine line, TraceThreadState state, long now)
    {
        long length = now - line.Since;
        Around?.Add(line, now);
        if (length >= LongestPieces.Least)
        {
            line.Pieces.Add(line.State, line.Since, length);
        }

        switch (line.State)
        {
            case TraceThreadState.Running:
                line.Running += length;
                break;
            case TraceThreadState.Ready:
                line.Ready += length;
                break;
            case TraceThreadState.Waiting:
                line.Waiting += length;
                break;
            default:
                break;
        }

        line.State = state;
        line.Since = now;
        line.IsSeen = true;
    }
}
