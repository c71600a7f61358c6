namespace HangTriage.Facts;

/// <summary>A thread that has a collection on its stack.</summary>
public sealed record CollectionUse
{
    public required ThreadId Thread { get; init; }

    /// <summary>It is in one of the collection's methods, or in code that they were compiled into; false where it only refers to it.</summary>
    public required bool IsInside { get; init; }

    /// <summary>The method that it is in changes the collection; false where it reads, or where compiled-in code does not tell.</summary>
    public required bool Writes { get; init; }

    /// <summary>The thread waits, sleeps or joins.</summary>
    public required bool IsBlocked { get; init; }

    /// <summary>The exception that the thread is handling says that operations on a collection that do not go together ran at once.</summary>
    public required bool HasConcurrentUseError { get; init; }

    /// <summary>The method whose frame shows it, with its type.</summary>
    public string? Method { get; init; }

    public required Trust Trust { get; init; }
}
