using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>Something of the runtime's own that a thread has to finish, and the threads that wait for that.</summary>
/// <param name="Facts">What it is, and who has to finish it.</param>
/// <param name="Waits">Who waits.</param>
internal sealed record Stall(LockFacts Facts, IReadOnlyList<WaitFacts> Waits)
{
    private const string None = "the runtime keeps no such count";

    public static LockFacts Held(LockKind kind, ulong address, Known<string> name, Known<ThreadId> owner) => new()
    {
        Id = new LockId(kind, new Address(address)),
        Name = name,
        IsHeld = Known.Derived(true),
        Owner = owner,
        Recursion = Known.Unknown<uint>("recursion", None),
        WaiterCount = Known.Unknown<uint>("waiting threads", None),
    };

    /// <summary>A wait that has no timeout.</summary>
    public static WaitFacts Wait(uint thread, LockId id, string source) => new()
    {
        Thread = new ThreadId(thread),
        Lock = id,
        Kind = WaitKind.Acquire,
        Timeout = Known.Derived(Timeout.InfiniteTimeSpan),
        Trust = Trust.Derived,
        Source = source,
    };
}
