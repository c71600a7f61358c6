using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// An RTL_SRWLOCK that threads wait for. Its word has four flags (locked, waiting, waking, shared by several) and, while
/// threads wait, a pointer to the newest waiter's block: {Back, Notify, Next, ThreadId, ...}, on that waiter's stack and
/// aligned to 16 bytes; Back leads to the older ones. All this is known from decompilation of ntdll alone.
/// </summary>
internal sealed class SrwLock
{
    private const ulong Locked = 1;
    private const ulong Waiting = 2;
    private const ulong SharedBySeveral = 8;
    private const ulong Flags = 15;

    private SrwLock(ulong address, ulong word, IReadOnlySet<uint> waiters)
    {
        Address = address;
        IsHeld = (word & Locked) != 0;
        IsShared = (word & SharedBySeveral) != 0;
        Waiters = waiters;
    }

    public ulong Address { get; }

    public bool IsHeld { get; }

    public bool IsShared { get; }

    /// <summary>The threads in its chain of wait blocks.</summary>
    public IReadOnlySet<uint> Waiters { get; }

    /// <summary>Null where no such lock lies there: a word without waiters, or a chain that leaves the stacks of its threads.</summary>
    public static SrwLock? Read(LockContext context, IReadOnlyDictionary<uint, ThreadView> threads, ulong address)
    {
        int size = context.Layout.PointerSize;
        if (address < 0x10000 || address % (ulong)size != 0
            || !context.Memory.TryReadPointer(address, size, out ulong word) || (word & Waiting) == 0)
        {
            return null;
        }

        HashSet<uint> waiters = [];
        HashSet<ulong> seen = [];
        for (ulong block = word & ~Flags; block != 0; )
        {
            if (!seen.Add(block) || context.Budget.Take(1) == 0 || seen.Count > context.Capture.Limits.WaitersPerLock
                || !context.Memory.TryReadPointer(block, size, out ulong back)
                || !context.Memory.TryReadPointer(block + (3 * (ulong)size), size, out ulong id)
                || id > uint.MaxValue || !threads.TryGetValue((uint)id, out ThreadView? thread) || !thread.Bounds.Contains(block))
            {
                return null;
            }

            waiters.Add((uint)id);
            block = back & ~Flags;
        }

        return waiters.Count > 0 ? new SrwLock(address, word, waiters) : null;
    }

    public LockFacts ToFacts(Known<string> name, Known<ThreadId> owner) => new()
    {
        Id = Id,
        Name = name,
        IsHeld = Known<bool>.Of(IsHeld, Trust.Assumed),
        Owner = IsHeld ? owner : Known.Unknown<ThreadId>("owner", "the lock is free"),
        Recursion = Known.Unknown<uint>("recursion", "an SRW lock does not count"),
        WaiterCount = Known<uint>.Of((uint)Waiters.Count, Trust.Assumed),
    };

    public LockId Id => new(LockKind.SrwLock, new Address(Address));
}
