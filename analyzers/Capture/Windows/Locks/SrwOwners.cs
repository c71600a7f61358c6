using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Locks;

/// <summary>
/// Who holds an SRW lock. The lock does not say; from Windows 11 24H2 on each thread has eight slots
/// (TEB.SchedulerSharedDataSlot) into which ntdll puts the lock before it takes it, with flags in the lowest bits and
/// the topmost one, and from which it removes it afterwards. Known from decompilation alone.
/// </summary>
internal static class SrwOwners
{
    private const uint FirstWithSlots = 26100;
    private const int Slots = 8;
    private const string What = "owner";

    public static Known<ThreadId> Find(LockContext context, IEnumerable<ThreadView> threads, SrwLock @lock)
    {
        if (!context.Loader.OsBuild.Is(build => build >= FirstWithSlots))
        {
            return Known.Unknown<ThreadId>(What, "SRW locks do not record their owner before Windows 11 24H2");
        }

        List<ThreadId> holders = [];
        int missing = 0;
        foreach (ThreadView thread in threads)
        {
            bool? holds = Holds(context, thread, @lock.Address);
            missing += holds is null ? 1 : 0;
            if (holds == true && !@lock.Waiters.Contains(thread.Thread.Id))
            {
                holders.Add(thread.Id);
            }
        }

        return holders switch
        {
            [ThreadId only] => Known<ThreadId>.Of(only, Trust.Assumed),
            [] => Known.Unknown<ThreadId>(
                What, missing > 0 ? $"no thread's slots name the lock; those of {missing} threads are not to be read" : "no thread's slots name the lock"),
            _ => Known.Unknown<ThreadId>(What, $"the slots of {holders.Count} threads name the lock: {string.Join(", ", holders.Take(8))}"),
        };
    }

    /// <summary>Null where the thread's slots cannot be read.</summary>
    private static bool? Holds(LockContext context, ThreadView thread, ulong address)
    {
        int size = context.Layout.PointerSize;
        ulong top = 1UL << ((size * 8) - 1);
        if (thread.Block is null
            || !context.Memory.TryReadPointer(thread.Block.Facts.Base.Value + (ulong)context.Layout.TebSchedulerSlot, size, out ulong slots))
        {
            return null;
        }

        if (slots == 0)
        {
            return false;
        }

        for (int i = 0; i < Slots; i++)
        {
            if (!context.Memory.TryReadPointer(unchecked(slots + (ulong)(i * size)), size, out ulong slot))
            {
                return null;
            }

            if ((slot & ~top & ~3UL) == (address & ~top))
            {
                return true;
            }
        }

        return false;
    }
}
