namespace HangTriage.Facts;

/// <summary>A thread that waits in a loop until an object is collected, as programs wait for the unload of an AssemblyLoadContext.</summary>
public sealed record CollectionWaitFacts
{
    public required ThreadId Thread { get; init; }

    /// <summary>The object that a weak reference of the thread's leads to.</summary>
    public required Address Awaited { get; init; }

    public required string Type { get; init; }

    /// <summary>It is an AssemblyLoadContext that was told to unload: everything of its assemblies keeps it.</summary>
    public required bool IsUnload { get; init; }

    /// <summary>What keeps the object; a gap where nothing was found, or not all could be searched.</summary>
    public required Known<KeeperFacts> Keeper { get; init; }
}
