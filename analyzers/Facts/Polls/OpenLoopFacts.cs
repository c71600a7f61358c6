namespace HangTriage.Facts;

/// <summary>A thread that is under a lock in a loop which neither a count nor the end of a collection ends.</summary>
public sealed record OpenLoopFacts
{
    public required ThreadId Thread { get; init; }

    /// <summary>The method with the loop.</summary>
    public required string Method { get; init; }
}
