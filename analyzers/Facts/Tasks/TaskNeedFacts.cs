namespace HangTriage.Facts;

/// <summary>One thing that has to happen before a task can complete.</summary>
public sealed record TaskNeedFacts
{
    public required TaskNeedKind Kind { get; init; }

    /// <summary>For <see cref="TaskNeedKind.Task"/>: the task.</summary>
    public Address? Task { get; init; }

    /// <summary>The thread that it runs on, or whose context has to run it; null where that is not known.</summary>
    public ThreadId? Thread { get; init; }

    /// <summary>For <see cref="TaskNeedKind.Context"/>: the rest of the task is in the context's queue already.</summary>
    public bool IsPosted { get; init; }

    /// <summary>For <see cref="TaskNeedKind.PoolQueue"/>: how many items the queues hold.</summary>
    public int? Queued { get; init; }

    /// <summary>For <see cref="TaskNeedKind.Timer"/>: what the timer was set to. When it was set is not recorded in a way that can be compared.</summary>
    public TimeSpan? SetFor { get; init; }

    /// <summary>For <see cref="TaskNeedKind.Io"/>: the socket whose operation it is; null where it is none, or none was found.</summary>
    public SocketFacts? Socket { get; init; }

    public required Trust Trust { get; init; }

    /// <summary>Where it was seen: "awaiter of the state machine", "continuation of the task".</summary>
    public required string Source { get; init; }
}
