namespace HangTriage.Facts;

/// <summary>The thread that runs finalizers, and what is due.</summary>
public sealed record FinalizerFacts
{
    public required ThreadId Thread { get; init; }

    /// <summary>How many objects wait for their finalizer, counted up to a limit.</summary>
    public required Known<uint> Queued { get; init; }
}
