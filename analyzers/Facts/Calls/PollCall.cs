namespace HangTriage.Facts.Calls;

/// <summary>What a call within a loop says of the loop.</summary>
public enum PollCall
{
    /// <summary>Nothing that matters: it reads a value, counts, makes a text, writes a log, or belongs to an await.</summary>
    Neutral,

    /// <summary>It lets time pass.</summary>
    Pauses,

    /// <summary>It tries to take a lock.</summary>
    Takes,

    /// <summary>It gives one back.</summary>
    GivesBack,

    /// <summary>It tells the time.</summary>
    Clock,

    /// <summary>It looks at a cancellation token.</summary>
    Token,

    /// <summary>It counts a number up or down.</summary>
    Counts,
}
