namespace HangTriage.Rules.Policy;

/// <summary>Whether the waits of a chain end by themselves.</summary>
public enum TimeLimit
{
    /// <summary>None of them does.</summary>
    None,

    /// <summary>None of them does but by a timeout that is so long that it counts as none.</summary>
    TooLate,

    /// <summary>Of one of them that is not recorded.</summary>
    Unknown,

    /// <summary>One of them does, by a timeout or by another signal.</summary>
    Some,
}
