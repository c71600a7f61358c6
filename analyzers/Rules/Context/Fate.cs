namespace HangTriage.Rules.Context;

/// <summary>What becomes of a task or of a thread, as far as the facts tell.</summary>
internal enum Fate
{
    /// <summary>It makes progress: something runs, a timer is set, an operation is under way.</summary>
    Progresses,

    /// <summary>It does not, and why cannot be followed to an end.</summary>
    Unknown,

    /// <summary>Nothing can complete it.</summary>
    Never,
}
