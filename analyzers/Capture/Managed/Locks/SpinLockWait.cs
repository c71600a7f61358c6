using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// A thread that spins for a SpinLock. Its 32 bits (<c>_owner</c>): with bit 31 the lock keeps no owner, and bit 0 says that it
/// is held; without, they are the managed id of the thread that holds it, 0 for none.
/// </summary>
internal static class SpinLockWait
{
    private const uint KeepsNoOwner = 0x8000_0000;
    private const int FramesToLookAt = Thresholds.FramesOfSpinLock;

    /// <summary>The frames of SpinLock's methods where the thread is inside one, or in the yields and sleeps between two tries.</summary>
    public static IReadOnlyList<ClrStackFrame> Frames(IEnumerable<ClrStackFrame> stack)
        =>
        [
            .. stack.Take(FramesToLookAt)
                .Where(frame => frame.Method is not null)
                .SkipWhile(BlockedCall.Spins)
                .TakeWhile(frame => frame.Method!.Type?.Name == DotNetTypes.SpinLock && frame.Method.Name?.Contains("Enter", StringComparison.Ordinal) == true),
        ];

    /// <summary>Null where it cannot be told which lock it is: the frames hold a reference into an object with several.</summary>
    public static PrimitiveWait? Of(IReadOnlyList<ClrStackFrame> frames, StackObjects objects, IReadOnlyList<ClrThread> threads)
    {
        if (objects.AroundIn(frames) is not [var around] || AddressOf(around) is not ulong address
            || !around.Type!.Heap.Runtime.DataTarget.DataReader.Read(address, out uint owner))
        {
            return null;
        }

        LockId id = new(LockKind.SpinLock, new Address(address));
        return new PrimitiveWait(id, WaitKind.Acquire, Facts(id, around.Type, owner, threads));
    }

    private static ulong? AddressOf(ClrObject around)
        => around.Type!.Name == DotNetTypes.SpinLock ? around.Type.GetFieldByName("_owner")?.GetAddress(around.Address)
            : around.Type.Fields.Where(field => field.Type?.Name == DotNetTypes.SpinLock).ToArray() is [var only] ? only.GetAddress(around.Address)
            : null;

    private static LockFacts Facts(LockId id, ClrType around, uint owner, IReadOnlyList<ClrThread> threads)
    {
        bool keepsOwner = (owner & KeepsNoOwner) == 0;
        bool isHeld = keepsOwner ? owner != 0 : (owner & 1) != 0;
        ClrThread? thread = keepsOwner ? threads.FirstOrDefault(thread => thread.ManagedThreadId == (int)owner) : null;
        return new LockFacts
        {
            Id = id,
            Name = around.Name is { } name && name != DotNetTypes.SpinLock ? Known.Read(name) : Known.Unknown<string>("name of the SpinLock", "it is a static field, or a copy"),
            IsHeld = Known.Read(isHeld),
            Owner = !isHeld ? Known.Unknown<ThreadId>("owner", "the lock is free")
                : !keepsOwner ? Known.Unknown<ThreadId>("owner", "this SpinLock was made to keep no owner")
                : thread is null ? Known.Unknown<ThreadId>("owner", $"the thread with the managed id {owner} took the lock and has ended")
                : Known.Derived(new ThreadId(thread.OSThreadId)),
            OwnerHasEnded = isHeld && keepsOwner ? thread is null : null,
            Recursion = Known.Unknown<uint>("recursion", "a SpinLock has none"),
            WaiterCount = Known.Unknown<uint>("waiting threads", "a SpinLock that keeps its owner does not count them"),
        };
    }
}
