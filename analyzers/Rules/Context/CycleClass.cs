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

    /// <summary>Static constructors, beside whatever else.</summary>
    StaticConstructor,

    /// <summary>Callbacks of timers and tokens, beside whatever else.</summary>
    Callback,

    /// <summary>Calls that are sent to a context, beside whatever else.</summary>
    ContextCall,

    /// <summary>The finalizer thread's work, beside whatever else.</summary>
    Finalizers,

    /// <summary>The handlers of the process's exit, beside whatever else.</summary>
    ExitHandlers,

    /// <summary>Tasks.</summary>
    Task,

    /// <summary>A task that has to continue in the context of a thread of the cycle.</summary>
    ContextOfThread,
}
