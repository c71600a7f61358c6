namespace HangTriage.Facts;

/// <summary>What a Windows thread's environment block says of its waits and duties.</summary>
/// <param name="Base">Where the block lies.</param>
/// <param name="WaitingOnLoaderLock">The thread waits for the loader-lock critical section itself.</param>
/// <param name="IsLoadOwner">The thread owns the parallel loader's current load (Windows 10 and later).</param>
/// <param name="IsLoaderWorker">The thread is a worker of the parallel loader (Windows 10 and later).</param>
public sealed record TebFacts(Address Base, Known<bool> WaitingOnLoaderLock, Known<bool> IsLoadOwner, Known<bool> IsLoaderWorker)
{
    /// <summary>The thread has called into the window system, so that it can own windows. Null in facts of earlier versions.</summary>
    public Known<bool>? IsGuiThread { get; init; }

    /// <summary>The thread whose block it says it is. Null in facts of earlier versions.</summary>
    public ThreadId? ClientId { get; init; }
}
