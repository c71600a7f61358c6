namespace HangTriage.Facts;

/// <summary>A facts file of today. What joins the samples is worked out of them again, so that nobody can state it.</summary>
internal sealed record FactsOfCase
{
    public const int CurrentSchema = 2;

    public int Schema { get; init; } = CurrentSchema;

    /// <summary>In the order of time, the one to judge last.</summary>
    public required IReadOnlyList<ProcessSnapshot> Samples { get; init; }

    /// <summary>A trace of the process; null where none was joined.</summary>
    public StoredTrace? Trace { get; init; }
}
