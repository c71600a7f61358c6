namespace HangTriage.Facts;

/// <summary>Which threads are blocked on tasks, and what those tasks need to complete.</summary>
public sealed record TaskGraphFacts
{
    public required IReadOnlyList<TaskWaitFacts> Waits { get; init; }

    /// <summary>Threads in a call that blocks on tasks, which have completed: each is about to go on. Null for none.</summary>
    public IReadOnlyList<ThreadId>? Woken { get; init; }

    /// <summary>Every task that a wait leads to, in the order of discovery.</summary>
    public required IReadOnlyList<TaskFacts> Tasks { get; init; }
}
