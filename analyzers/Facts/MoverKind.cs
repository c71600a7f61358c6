namespace HangTriage.Facts;

/// <summary>What it is that can still run without anybody outside the process.</summary>
public enum MoverKind
{
    /// <summary>A thread that runs, or waits with a timeout.</summary>
    Thread,

    /// <summary>An async method that a timer continues, or that is queued to continue.</summary>
    Flow,

    /// <summary>What a timer calls.</summary>
    Timer,

    /// <summary>An item in the queue of the thread pool.</summary>
    WorkItem,

    /// <summary>What watches files, and waits that are registered with the pool.</summary>
    Watcher,
}
