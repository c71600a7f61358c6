using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>What of the waits can be followed over the heap.</summary>
internal static class ReachStarts
{
    /// <summary>The object whose signal ends the wait; null for a wait that its owner ends, and where the object is not known.</summary>
    public static ulong? ObjectOf(WaitFacts wait) => wait switch
    {
        { Kind: WaitKind.Pulse, Lock.Kind: LockKind.Monitor or LockKind.ManagedLock } => wait.Lock.Address.Value,
        { Kind: WaitKind.Signal, Lock.Kind: LockKind.ManagedEvent or LockKind.SemaphoreSlim } => wait.Lock.Address.Value,
        { Kind: WaitKind.Signal, Handle: { } handle } => handle.Value,
        _ => null,
    };

    /// <summary>A promise of which no more is known than that a thread, which may wait itself, or a static field leads to it.</summary>
    public static bool IsFollowed(TaskFacts task) => task.Needs.Any(need => need is { Kind: TaskNeedKind.Unknown });

    /// <summary>Promises of any make, semaphores and queues: what other async methods wait for is followed with these.</summary>
    public static bool IsFollowed(FlowWait wait)
        => wait is
            {
                Kind: FlowWaitKind.Task or FlowWaitKind.Semaphore or FlowWaitKind.Channel or FlowWaitKind.Pipe or FlowWaitKind.WhenAny
                    or FlowWaitKind.WhenAll or FlowWaitKind.Custom,
                Address: not null,
            }
            && !wait.IsLimited();
}
