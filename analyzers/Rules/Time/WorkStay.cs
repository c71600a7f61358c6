namespace HangTriage.Rules.Time;

/// <summary>Whether a thread at work got anywhere between samples.</summary>
internal enum WorkStay
{
    /// <summary>What it works with has changed, or that is not known.</summary>
    Moves,

    /// <summary>It has been in one call of the program's all the while, and nothing that the program works with has changed.</summary>
    SameCall,

    /// <summary>It goes round a loop, and comes back to the same values.</summary>
    SameRound,

    /// <summary>It goes round a loop in which an exception is thrown each time, and nothing else changes.</summary>
    Throws,
}
