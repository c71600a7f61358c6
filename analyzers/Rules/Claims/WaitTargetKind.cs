namespace HangTriage.Rules.Claims;

public enum WaitTargetKind
{
    Lock,
    Task,
    Thread,

    /// <summary>Several things: any of them, or all.</summary>
    Several,
}
