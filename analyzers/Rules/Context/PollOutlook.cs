namespace HangTriage.Rules.Context;

/// <summary>Who could end a loop that waits.</summary>
internal enum PollOutlook
{
    /// <summary>Somebody who makes progress, or something outside the program's own code; or the loop need not end.</summary>
    Open,

    /// <summary>It is not known, or those who could do not make progress.</summary>
    Unknown,

    /// <summary>Nobody is left.</summary>
    Nobody,
}
