namespace HangTriage.Facts;

/// <summary>What has to happen before a task can complete.</summary>
public enum TaskNeedKind
{
    /// <summary>Another task has to complete.</summary>
    Task,

    /// <summary>It runs on a thread, which has to make progress.</summary>
    Thread,

    /// <summary>The thread of a synchronization context has to run the rest of it.</summary>
    Context,

    /// <summary>It is queued for a worker of the thread pool.</summary>
    PoolQueue,

    /// <summary>A timer is set that completes it.</summary>
    Timer,

    /// <summary>An operation of the system completes it.</summary>
    Io,

    /// <summary>Nothing but those who wait for it can reach it.</summary>
    Nobody,

    /// <summary>Something can reach it, and whether that completes it cannot be told.</summary>
    Unknown,
}
