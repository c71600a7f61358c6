namespace HangTriage.Rules.Context;

/// <summary>What a cycle of the wait graph leads through. Every cycle is of one class, so that one rule reports it.</summary>
internal enum CycleClass
{
    /// <summary>Managed locks, or the ends of threads that run managed code.</summary>
    Managed,

    /// <summary>Native locks, alone or mixed with managed ones.</summary>
    Native,

    /// <summary>What one thread holds of the loader, and the end of another.</summary>
    Loader,

    /// <summary>Tasks.</summary>
    Task,

    /// <summary>A task that has to continue in the context of a thread of the cycle.</summary>
    ContextOfThread,
}
