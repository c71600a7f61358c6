namespace HangTriage.Facts;

/// <summary>Which threads are blocked on tasks, and what those tasks need to complete.</summary>
public sealed record TaskGraphFacts
{
    public required IReadOnlyList<TaskWaitFacts> Waits { get; init; }

    /// <summary>Every task that a wait leads to, in the order of discovery.</summary>
    public required IReadOnlyList<TaskFacts> Tasks { get; init; }
}
