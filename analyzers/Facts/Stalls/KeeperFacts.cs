namespace HangTriage.Facts;

/// <summary>What keeps an object from being collected.</summary>
public sealed record KeeperFacts
{
    public required FlowRoot By { get; init; }

    /// <summary>For <see cref="FlowRoot.Thread"/>: the thread.</summary>
    public ThreadId? Thread { get; init; }

    /// <summary>
    /// For a static field its name ("App.Host.s_plugins"), for a thread in code of an unloading context that method; null for others, and
    /// where it was not found.
    /// </summary>
    public string? Name { get; init; }

    /// <summary>From there to the object: the fields that lead to it, and of arrays and others the types.</summary>
    public required IReadOnlyList<string> Path { get; init; }
}
