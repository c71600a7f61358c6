namespace HangTriage.Facts;

/// <summary>Something in a .NET process that runs, or will run again without anybody outside.</summary>
public sealed record MoverFacts
{
    public required MoverKind Kind { get; init; }

    /// <summary>The method that continues or is called, as <see cref="FlowGroup.Method"/> has it, or the type of what was queued.</summary>
    public required string Name { get; init; }

    /// <summary>Null for all but a thread.</summary>
    public ThreadId? Thread { get; init; }

    /// <summary>
    /// It can come to a call that may end a wait: one that signals, sends, starts or disposes. One that cannot only looks, counts and
    /// prints.
    /// </summary>
    public required bool Acts { get; init; }
}
