namespace HangTriage.Facts;

/// <summary>What only a Linux process has.</summary>
public sealed record LinuxFacts
{
    /// <summary>The mutexes and reader/writer locks of the threads library (pthread_mutex_t, pthread_rwlock_t) that threads wait for; one that nobody waits for is not looked for.</summary>
    public required Known<IReadOnlyList<LockFacts>> Locks { get; init; }

    /// <summary>Which thread waits for which of them, or for the end of which thread (pthread_join).</summary>
    public required Known<IReadOnlyList<WaitFacts>> Waits { get; init; }
}
