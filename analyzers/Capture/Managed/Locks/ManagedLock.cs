using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>
/// Reads a System.Threading.Lock (.NET 9 and later): _state (bit 0 held, bit 5 a waiter was woken, from bit 7 on their number),
/// _recursionCount (entries beyond the first) and _owningThreadId.
/// </summary>
internal static class ManagedLock
{
    public static LockFacts Read(ClrObject target, IReadOnlyList<ClrThread> threads)
    {
        ulong address = target.Address;
        Known<uint> state = Field(target, "_state");
        Known<bool> isHeld = state.Select(value => (value & 1) != 0);
        Known<ThreadId> owner = isHeld.Is(held => !held) ? Known.Unknown<ThreadId>("owner", "the lock is free") : Owner(target, threads);
        return new LockFacts
        {
            Id = new LockId(LockKind.ManagedLock, new Address(address)),
            Name = target.Type?.Name is { Length: > 0 } name ? Known.Read(name) : Known.Unknown<string>("lock type", "its object is not in the input"),
            IsHeld = isHeld,
            Owner = owner,
            OwnerHasEnded = owner.TryGet(out ThreadId id) ? !threads.Any(thread => thread.OSThreadId == id.Value) : null,
            Recursion = Field(target, "_recursionCount").Select(count => isHeld.Is(held => held) && count < uint.MaxValue ? count + 1 : count),
            WaiterCount = state.Select(value => value >> 7),
            HasWokenWaiter = state.TryGet(out uint bits) ? (bits & 0x20) != 0 : null,
        };
    }

    // The owner's id is the operating system's in .NET 9 and 10, where the field is unsigned, and the runtime's own in
    // .NET 11, where it is an int.
    private static Known<ThreadId> Owner(ClrObject target, IReadOnlyList<ClrThread> threads)
    {
        Known<uint> id = Field(target, "_owningThreadId");
        if (!id.TryGet(out uint value))
        {
            return Known<ThreadId>.Unknown(id.Gap!);
        }

        if (value == 0)
        {
            return Known.Unknown<ThreadId>("owner", "the lock is held but states no owner: it is being taken or released");
        }

        if (target.Type!.GetFieldByName("_owningThreadId")!.ElementType == ClrElementType.UInt32)
        {
            return Known.Read(new ThreadId(value));
        }

        ClrThread? owner = threads.FirstOrDefault(thread => thread.ManagedThreadId == (int)value);
        return owner is null
            ? Known.Unknown<ThreadId>("owner", $"the thread with the managed id {value} exists no more")
            : Known.Derived(new ThreadId(owner.OSThreadId));
    }

    private static Known<uint> Field(ClrObject target, string name)
    {
        ClrInstanceField? field = target.Type?.GetFieldByName(name);
        return field is { Size: 4 } && target.Type!.Heap.Runtime.DataTarget.DataReader.Read(field.GetAddress(target.Address), out uint value)
            ? Known.Read(value)
            : Known.Unknown<uint>(name, "the lock has no such field of 32 bits, or it is not in the input");
    }
}
