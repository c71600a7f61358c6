namespace HangTriage.Facts;

/// <summary>What a .NET runtime says of its locks and of the threads that wait for them.</summary>
public sealed record ManagedFacts
{
    public required RuntimeFacts Runtime { get; init; }

    /// <summary>Every inflated monitor that is held or waited for, and every System.Threading.Lock that a thread waits for.</summary>
    public required Known<IReadOnlyList<LockFacts>> Locks { get; init; }

    /// <summary>The waits that the runtime records.</summary>
    public required Known<IReadOnlyList<WaitFacts>> Waits { get; init; }

    /// <summary>The thread pool; null where it was never used, and in facts of before it was read.</summary>
    public Known<PoolFacts>? Pool { get; init; }
}
