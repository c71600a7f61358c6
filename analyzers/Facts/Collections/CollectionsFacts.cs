namespace HangTriage.Facts;

/// <summary>What was found out about the hash tables of a process: Dictionary, HashSet and others that are built alike.</summary>
public sealed record CollectionsFacts
{
    /// <summary>True where every table of the heap was checked; false for those alone that running threads have on their stacks.</summary>
    public required bool WholeHeap { get; init; }

    /// <summary>How many were checked.</summary>
    public required int Checked { get; init; }

    /// <summary>Those of which there is something to say.</summary>
    public required IReadOnlyList<CollectionFacts> Noteworthy { get; init; }

    /// <summary>
    /// Exceptions that say that operations on a collection ran at once that do not go together: those that threads handle,
    /// with the whole heap all that are on it.
    /// </summary>
    public required int ConcurrentUseErrors { get; init; }

    /// <summary>What could not be looked at.</summary>
    public required IReadOnlyList<Gap> Gaps { get; init; }
}
