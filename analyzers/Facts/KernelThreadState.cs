namespace HangTriage.Facts;

/// <summary>What the scheduler of Linux says of a thread (proc(5)).</summary>
public enum KernelThreadState
{
    /// <summary>None of the states that are known here.</summary>
    Unknown,

    /// <summary>On a processor, or ready for one (R).</summary>
    Running,

    /// <summary>In a wait that a signal can break off (S).</summary>
    Sleeping,

    /// <summary>In a wait within the kernel that nothing can break off, as for a disk or a network file system (D).</summary>
    Uninterruptible,

    /// <summary>Stopped by job control or SIGSTOP (T).</summary>
    Stopped,

    /// <summary>Stopped by another program that traces it (t).</summary>
    Traced,

    /// <summary>Ended (Z, X).</summary>
    Ended,
}
