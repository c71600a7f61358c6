namespace HangTriage.Rules.Policy;

/// <summary>What the end of the decisive wait chain does.</summary>
public enum VerdictKind
{
    /// <summary>A cycle: nobody in it can make progress.</summary>
    Deadlock,

    /// <summary>The owner loops, waiting (yield, sleep, pause).</summary>
    SpinningOwner,

    /// <summary>The owner computes.</summary>
    BusyOwner,

    /// <summary>The owner is gone, or at rest for good.</summary>
    Orphaned,

    /// <summary>A promise that nothing can complete.</summary>
    NeverCompleted,

    /// <summary>No worker is left to run what is awaited.</summary>
    Starvation,

    /// <summary>Another process, a device or a remote call.</summary>
    BlockedOnExternal,

    /// <summary>Broken data that threads run in circles on.</summary>
    Corruption,

    /// <summary>The runtime itself: GC suspension, finalizer, loader.</summary>
    RuntimeStall,

    /// <summary>Ready and not scheduled.</summary>
    Outranked,

    /// <summary>Work that does progress, and a UI thread waits for it.</summary>
    SlowWait,

    /// <summary>Nobody waits for anybody, or for work that does progress.</summary>
    NotHung,

    /// <summary>CPU is burned and nobody waits for it.</summary>
    BusyNotHung,

    /// <summary>What is needed was not in the input.</summary>
    Inconclusive,
}
