namespace HangTriage.Facts;

/// <summary>What was looked at.</summary>
public enum TargetKind
{
    Minidump,
    ElfCore,
    LiveProcess,
    DebuggerSession,

    /// <summary>No capture at all: one process in a trace.</summary>
    Trace,
}
