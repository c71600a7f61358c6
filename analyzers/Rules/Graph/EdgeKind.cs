namespace HangTriage.Rules.Graph;

/// <summary>How one node waits for another, or is held by it.</summary>
public enum EdgeKind
{
    /// <summary>A thread waits for a lock, a signal or a task.</summary>
    WaitsFor,

    /// <summary>A lock is held by a thread.</summary>
    HeldBy,

    /// <summary>A static constructor, a callback or the finalizers that are due: a thread runs them.</summary>
    RunBy,

    /// <summary>The stop of all threads waits for a thread that does not stop.</summary>
    HeldUpBy,

    /// <summary>A lock is held for reading by a thread, among others.</summary>
    ReadHeldBy,

    /// <summary>A thread waits for the end of another.</summary>
    WaitsForEnd,

    /// <summary>A thread waits for the owner of the load in progress, through the loader lock.</summary>
    WaitsForLoadOwner,

    /// <summary>The load owner waits for the work of a worker of the loader.</summary>
    WaitsForWork,

    /// <summary>A thread looks again and again at what only another can change.</summary>
    WaitsForChange,

    /// <summary>A thread waits for room in a queue that another thread empties.</summary>
    WaitsForRoom,

    /// <summary>A thread waits for a database that another thread has a transaction open in.</summary>
    WaitsForTransaction,

    /// <summary>A task runs on a thread.</summary>
    RunsOn,

    /// <summary>A promise or a signal is in the hands of a thread that waits, and no code that makes progress leads to it.</summary>
    CompletedBy,

    /// <summary>A task has to continue in the context of a thread.</summary>
    NeedsContext,
}
