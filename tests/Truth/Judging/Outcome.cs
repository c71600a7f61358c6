namespace HangTriage.Tests.Truth.Judging;

/// <summary>How the tool's verdict stands beside the expert's.</summary>
internal enum Outcome
{
    /// <summary>The kind is right, and for a hang the culprit.</summary>
    Right,

    /// <summary>The kind is right and somebody else is named.</summary>
    WrongCulprit,

    /// <summary>A hang, of another kind.</summary>
    WrongKind,

    /// <summary>The tool does not know.</summary>
    Unsure,

    /// <summary>A hang that is called healthy.</summary>
    Missed,

    /// <summary>A healthy program that is called hung.</summary>
    FalseAlarm,

    /// <summary>There is no report, or its exit code is not that of its verdict.</summary>
    Failed,
}
