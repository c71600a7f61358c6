using HangTriage.Facts;

namespace HangTriage.Traces.Timeline;

/// <summary>One thread while the trace is read. Times are in steps of 100 ns from the window's start.</summary>
internal sealed class ThreadLine(uint tid, long from)
{
    private const int MostPartners = 16;

    public uint Tid { get; } = tid;

    public ProcessLine? Process { get; set; }

    public string? Name { get; set; }

    public long From { get; set; } = from;

    /// <summary>Null while it lives.</summary>
    public long? To { get; set; }

    public bool IsStartSeen { get; set; }

    public bool IsEndSeen { get; set; }

    /// <summary>False until an event says what it does.</summary>
    public bool IsSeen { get; set; }

    public TraceThreadState State { get; set; } = TraceThreadState.Waiting;

    /// <summary>Since when it is in its state.</summary>
    public long Since { get; set; } = from;

    public long Running { get; set; }

    public long Ready { get; set; }

    public long Waiting { get; set; }

    public long Switches { get; set; }

    /// <summary>Where it was last switched in.</summary>
    public int Processor { get; set; }

    public int? Priority { get; set; }

    public int? Rank { get; set; }

    /// <summary>Switch-outs for the reason of the last one; null where that is not in the trace.</summary>
    public ReasonCount? OutFor { get; set; }

    /// <summary>Why it last stopped running; null where that is not in the trace.</summary>
    public string? Reason => OutFor?.Name;

    /// <summary>When it last stopped running; null where it did not within the window.</summary>
    public long? OutAt { get; set; }

    /// <summary>When its last wait began; for a thread that did not stop running within the window, when it is first known.</summary>
    public long WaitedSince => OutAt ?? From;

    /// <summary>Somebody readied it before its switch-out was recorded: on another processor that happens.</summary>
    public Readied? EarlyReady { get; set; }

    /// <summary>What made it ready; null where it was preempted.</summary>
    public Readied? LastReady { get; set; }

    /// <summary>Who made it ready: the most frequent.</summary>
    public List<PartnerCount> Partners { get; } = [];

    public LongestPieces Pieces { get; } = new();

    public LongWait? LongestWait { get; set; }

    public LongReady? LongestReady { get; set; }

    /// <summary>A thread has few: they are searched one by one.</summary>
    public List<ReasonCount> Reasons { get; } = [];

    public TraceMoment? Moment { get; set; }

    public AroundCount? Around { get; set; }

    public SampleCounts? Samples { get; set; }

    public IoCounts? Io { get; set; }

    public void CountPartner(in Readied readied)
    {
        foreach (PartnerCount count in Partners)
        {
            if (count.Is(readied))
            {
                count.Add(readied.At);
                return;
            }
        }

        // Of many that readied it once, one gives way: the frequent ones stay.
        if (Partners.Count == MostPartners)
        {
            Partners.RemoveAt(Partners.IndexOf(Partners.MinBy(count => count.Count)!));
        }

        Partners.Add(new PartnerCount(readied));
        Partners[^1].Add(readied.At);
    }

    /// <summary>The switch-outs of a reason.</summary>
    public ReasonCount For(string reason)
    {
        if (OutFor is { } last && ReferenceEquals(last.Name, reason))
        {
            return last;
        }

        foreach (ReasonCount count in Reasons)
        {
            if (count.Name == reason)
            {
                return count;
            }
        }

        Reasons.Add(new ReasonCount(reason));
        return Reasons[^1];
    }

    /// <summary>The wait that ends now is longer than those before.</summary>
    public bool IsLongestWait(long now) => State == TraceThreadState.Waiting && now - WaitedSince > (LongestWait?.Length ?? 0);

    public ThreadId Id => new(Tid);

    /// <summary>It ran on a processor at some time since the moment.</summary>
    public bool RanSince(long moment) => State == TraceThreadState.Running || OutAt > moment;
}
