using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// Who holds an SRW lock. The lock does not say; from Windows 11 24H2 on each thread has eight slots
/// (TEB.SchedulerSharedDataSlot) into which ntdll puts the lock before it takes it, with flags in the lowest bits and
/// the topmost one, and from which it removes it afterwards. Known from decompilation alone.
/// </summary>
internal sealed class SrwOwners
{
    private const uint FirstWithSlots = 26100;
    private const int Slots = 8;
    private const string What = "owner";

    private readonly LockContext _context;
    private readonly Dictionary<ulong, List<ThreadId>> _holders = [];
    private readonly int _missing;

    public SrwOwners(LockContext context, IEnumerable<ThreadView> threads)
    {
        _context = context;
        if (HasSlots)
        {
            foreach (ThreadView thread in threads)
            {
                _missing += TryAdd(thread) ? 0 : 1;
            }
        }
    }

    private bool HasSlots => _context.Loader.OsBuild.Is(build => build >= FirstWithSlots);

    // The topmost bit of a slot is a flag, and no address of a program has it.
    private ulong AddressBits => (1UL << ((_context.Layout.PointerSize * 8) - 1)) - 1;

    public Known<ThreadId> Find(SrwLock @lock)
    {
        if (!HasSlots)
        {
            return Known.Unknown<ThreadId>(What, "SRW locks do not record their owner before Windows 11 24H2");
        }

        // A thread puts the lock into a slot before it waits, too.
        ThreadId[] holders = _holders.TryGetValue(@lock.Address & AddressBits, out List<ThreadId>? all)
            ? [.. all.Where(thread => !@lock.Waiters.Contains(thread.Value)).Distinct()]
            : [];
        return holders switch
        {
            [ThreadId only] => Known<ThreadId>.Of(only, Trust.Assumed),
            [] => Known.Unknown<ThreadId>(
                What, "no thread's slots name the lock" + (_missing > 0 ? $"; those of {_missing} threads cannot be read" : "")),
            _ => Known.Unknown<ThreadId>(What, $"the slots of {holders.Length} threads name the lock: {string.Join(", ", holders.Take(Slots))}"),
        };
    }

    private bool TryAdd(ThreadView thread)
    {
        int size = _context.Layout.PointerSize;
        if (thread.Block is null
            || !_context.Memory.TryReadPointer(thread.Block.Facts.Base.Value + (ulong)_context.Layout.TebSchedulerSlot, size, out ulong slots))
        {
            return false;
        }

        for (int i = 0; slots != 0 && i < Slots; i++)
        {
            if (!_context.Memory.TryReadPointer(unchecked(slots + (ulong)(i * size)), size, out ulong slot))
            {
                return false;
            }

            ulong address = slot & AddressBits & ~3UL;
            if (address != 0)
            {
                if (!_holders.TryGetValue(address, out List<ThreadId>? holders))
                {
                    _holders.Add(address, holders = []);
                }

                holders.Add(thread.Id);
            }
        }

        return true;
    }
}
