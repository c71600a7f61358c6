namespace HangTriage.Facts;

/// <summary>What keeps a suspended async method alive.</summary>
public enum FlowRoot
{
    /// <summary>Not found within the bounds of the search, or not looked for.</summary>
    Unknown,

    /// <summary>A static field leads to it.</summary>
    Static,

    /// <summary>The stack of a thread leads to it.</summary>
    Thread,

    /// <summary>A timer that is set leads to it.</summary>
    Timer,

    /// <summary>An operation of the system leads to it: a socket, a file, a pipe of the system.</summary>
    InputOutput,

    /// <summary>A handle of the runtime leads to it.</summary>
    GcHandle,

    /// <summary>It is in a queue of the thread pool.</summary>
    PoolQueue,
}
