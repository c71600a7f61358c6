namespace HangTriage.Facts;

/// <summary>A thread in a trace. Its time is the part of the window in which it lived.</summary>
public sealed record TraceThread
{
    private readonly IReadOnlyList<TracePartner>? _partners;

    public required ThreadId OsId { get; init; }

    public required Known<uint> Pid { get; init; }

    public required Known<string> Name { get; init; }

    /// <summary>From the window's start: when it began, or 0 where it ran before.</summary>
    public required TimeSpan From { get; init; }

    /// <summary>From the window's start: when it ended, or the window's length.</summary>
    public required TimeSpan To { get; init; }

    /// <summary>The thread began within the window.</summary>
    public required bool IsStartSeen { get; init; }

    /// <summary>The thread ended within the window.</summary>
    public required bool IsEndSeen { get; init; }

    /// <summary>A gap without context switches.</summary>
    public required Known<TraceTimes> Times { get; init; }

    /// <summary>Why it stopped running, the reason that took longest first.</summary>
    public required IReadOnlyList<TraceWaitReason> WaitReasons { get; init; }

    /// <summary>When it was last switched to.</summary>
    public required Known<int> Priority { get; init; }

    /// <summary>At its last switch-out; 0 goes first. Only threads of a scheduling group have one.</summary>
    public required Known<int> Rank { get; init; }

    public TraceWait? LongestWait { get; init; }

    public TraceReady? LongestReady { get; init; }

    /// <summary>Who made it ready, the most frequent first; empty in facts of before this was counted.</summary>
    public IReadOnlyList<TracePartner> Partners
    {
        get => _partners ?? [];
        init => _partners = value;
    }

    /// <summary>The longest times for which it was in one state, in the order of time; what lies between them is shorter. Empty without context switches.</summary>
    public required IReadOnlyList<TracePiece> Timeline { get; init; }

    /// <summary>The state at the moment that was asked for, else at the window's end.</summary>
    public required Known<TraceMoment> Moment { get; init; }

    /// <summary>What it did around the moment that was asked for; a gap where the window does not have all of that time.</summary>
    public required Known<TraceAround> Around { get; init; }

    /// <summary>Processor samples in it.</summary>
    public required long Samples { get; init; }

    /// <summary>Functions with samples, those that were on top of most stacks first.</summary>
    public required IReadOnlyList<TraceFunction> Functions { get; init; }

    /// <summary>What its samples stand for, most first; those that no tag fits are left out.</summary>
    public required IReadOnlyList<TraceTag> Tags { get; init; }

    public required TraceIo Reads { get; init; }

    public required TraceIo Writes { get; init; }

    /// <summary>Calls of the registry, by kind.</summary>
    public required IReadOnlyList<TraceCalls> Registry { get; init; }
}
