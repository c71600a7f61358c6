namespace HangTriage.Facts;

/// <summary>Who made a process end.</summary>
public enum CrashOrigin
{
    Unknown,

    /// <summary>The processor or the system, for what the thread did.</summary>
    Fault,

    /// <summary>The process itself, by abort or a fail fast.</summary>
    Abort,

    /// <summary>Another process, which sent a signal.</summary>
    Sent,
}
