namespace HangTriage.Facts;

/// <summary>
/// A thread that was in no wait of the runtime's when it was looked at, or went round a loop that waits, with the state that its
/// program's frames were in: two looks tell
/// by it whether anything has changed in between.
/// </summary>
public sealed record WorkFacts
{
    public required ThreadId Thread { get; init; }

    /// <summary>The thread's instruction, in whatever code it is.</summary>
    public required Address Ip { get; init; }

    /// <summary>The frames of the program's own, the innermost first.</summary>
    public required IReadOnlyList<WorkFrame> Frames { get; init; }

    /// <summary>It is in a wait, between two rounds of a loop that looks, pauses and looks again (<see cref="PollFacts"/>).</summary>
    public bool IsPausing { get; init; }

    /// <summary>It throws an exception, or looks for who catches one.</summary>
    public bool IsThrowing { get; init; }

    /// <summary>How long the regular expression that it has may match; null where it has none, and where that has no limit.</summary>
    public TimeSpan? MatchLimit { get; init; }

    /// <summary>The circle of objects that its innermost loop walks; null where none was found.</summary>
    public WorkCircle? Circle { get; init; }

    /// <summary>The proof that its loop has no end; null where there is none.</summary>
    public WorkRepeat? Repeat { get; init; }
}
