namespace HangTriage.Capture.Managed.Reach;

/// <summary>What a thread can do to the waits of others.</summary>
internal enum ReachThreadState
{
    /// <summary>It works, waits with a timeout, or nothing tells what it does: it can do anything.</summary>
    Runs,

    /// <summary>It waits for an answer from outside the process: it can do anything once that comes.</summary>
    AwaitsAnswer,

    /// <summary>It waits without end, for what is known: it can do what it leads to when that ends.</summary>
    Waits,

    /// <summary>A thread of the runtime or of the pool that has nothing to do.</summary>
    OfRuntime,
}
