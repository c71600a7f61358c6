namespace HangTriage.Facts;

/// <summary>A task that a thread waits for, directly or behind other tasks.</summary>
public sealed record TaskFacts
{
    /// <summary>The address of the task's object; for a pooled ValueTask that of its state machine's box.</summary>
    public required Address Address { get; init; }

    /// <summary>Task.Id where something has asked for it; null where nothing has.</summary>
    public int? Id { get; init; }

    public required Known<string> Type { get; init; }

    public required TaskKind Kind { get; init; }

    /// <summary>The async method, as "App.Window.WorkAsync", or the method of the delegate; null where none is known.</summary>
    public string? Method { get; init; }

    /// <summary>For an async method that waits for the end of a child: the child. Null for others.</summary>
    public Known<ChildFacts>? Child { get; init; }

    /// <summary>For an async method of an HttpClient: when that gives the request up. Null for others, and for one without a timeout.</summary>
    public TimeSpan? RequestLimit { get; init; }

    public required Known<TaskState> State { get; init; }

    /// <summary>What has to happen: all of it, unless <see cref="NeedsAny"/>. Empty for a task that has completed, and where it is not known.</summary>
    public required IReadOnlyList<TaskNeedFacts> Needs { get; init; }

    /// <summary>For a promise that a frame of a thread holds: who can still complete it. Null where that was not looked for.</summary>
    public WaitReach? Reach { get; init; }

    /// <summary>One of <see cref="Needs"/> is enough.</summary>
    public bool NeedsAny { get; init; }
}
