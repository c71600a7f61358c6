namespace HangTriage.Facts;

/// <summary>What was looked at.</summary>
public enum TargetKind
{
    Minidump,
    ElfCore,
    LiveProcess,
    DebuggerSession,
}
