namespace HangTriage.Facts;

/// <summary>What only a Windows process has.</summary>
public sealed record WindowsFacts
{
    private readonly Known<IReadOnlyList<LockFacts>>? _locks;
    private readonly Known<IReadOnlyList<WaitFacts>>? _waits;
    private readonly Known<IReadOnlyList<HandleFacts>>? _handles;

    public required Known<Address> Peb { get; init; }

    /// <summary>The loader lock and its state; the PEB leads to it.</summary>
    public required Known<LockFacts> LoaderLock { get; init; }

    /// <summary>
    /// Critical sections other than the loader lock, SRW locks and mutexes that are held or waited for, or whose state
    /// is not known. What says that there are more, which were not seen, is among the snapshot's gaps.
    /// </summary>
    public Known<IReadOnlyList<LockFacts>> Locks
    {
        get => _locks ?? NotCaptured<IReadOnlyList<LockFacts>>("native locks");
        init => _locks = value;
    }

    /// <summary>
    /// Which thread waits for which native lock, object, thread or process, as far as memory tells. Each wait says how
    /// it is known. A thread that is not named here can wait all the same.
    /// </summary>
    public Known<IReadOnlyList<WaitFacts>> Waits
    {
        get => _waits ?? NotCaptured<IReadOnlyList<WaitFacts>>("native waits");
        init => _waits = value;
    }

    public Known<IReadOnlyList<HandleFacts>> Handles
    {
        get => _handles ?? NotCaptured<IReadOnlyList<HandleFacts>>("handles");
        init => _handles = value;
    }

    // Facts files of earlier versions have none of these.
    private static Known<T> NotCaptured<T>(string what)
        where T : notnull
        => Known.Unknown<T>(what, "they were not captured");
}
