using HangTriage.Facts.Time;

namespace HangTriage.Facts;

/// <summary>What the runtime's thread pool says of itself.</summary>
public sealed record PoolFacts
{
    public required Known<PoolWorkers> Workers { get; init; }

    /// <summary>How many of its workers the pool knows to be blocked in a wait for a task; it adds workers for them.</summary>
    public required Known<uint> KnownBlocked { get; init; }

    /// <summary>What waits to be run, by queue.</summary>
    public required Known<PoolQueues> Queued { get; init; }

    /// <summary>How often the pool's log says that it added a worker because nothing was taken from its queues.</summary>
    public required Known<uint> StarvationEntries { get; init; }

    /// <summary>How long ago a worker last took something from the queues; null where nothing tells.</summary>
    public Age? LastTaken { get; init; }

    /// <summary>The timers that should have fired: the pool runs them. Null where that is not known.</summary>
    public OverdueTimers? Overdue { get; init; }

    /// <summary>What waits there, by kind, the most first; null where that was not looked at.</summary>
    public IReadOnlyList<PoolItems>? Items { get; init; }
}
