namespace HangTriage.Rules.Threads;

/// <summary>What a thread was doing, as far as its stack and its waits tell.</summary>
public enum ThreadActivity
{
    /// <summary>Nothing tells.</summary>
    Unknown,

    /// <summary>On a processor, or ready for one.</summary>
    Running,

    /// <summary>In a call that gives the rest of its time slice away: SwitchToThread, Sleep(0), sched_yield.</summary>
    Yielding,

    Sleeping,

    /// <summary>Stopped by somebody, until somebody lets it go on.</summary>
    Suspended,

    /// <summary>Waits to own a lock.</summary>
    WaitsForLock,

    /// <summary>Waits for the loader to become free.</summary>
    WaitsForLoader,

    /// <summary>Waits for a kernel or runtime object: an event, a pulse, a handle.</summary>
    WaitsForObject,

    /// <summary>Waits for input or output.</summary>
    WaitsForIo,

    /// <summary>Has sent a window message and waits for the answer.</summary>
    WaitsForAnswer,

    /// <summary>Has called through COM or RPC and waits for the answer.</summary>
    WaitsForReply,

    /// <summary>In a message loop, waiting for the next message.</summary>
    WaitsForMessage,

    /// <summary>A pool worker without work.</summary>
    IdlePoolWorker,
}
