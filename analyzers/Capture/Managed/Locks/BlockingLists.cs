using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>Walks the ThreadBlockingInfo list of each thread.</summary>
internal sealed class BlockingLists
{
    private readonly BlockingInfoLayout _layout;
    private readonly IDataReader _reader;
    private readonly ThreadLocalData? _threadLocals;

    private BlockingLists(BlockingInfoLayout layout, IDataReader reader, ThreadLocalData? threadLocals)
    {
        _layout = layout;
        _reader = reader;
        _threadLocals = threadLocals;
    }

    public static BlockingLists Open(BlockingInfoLayout layout, ClrRuntime runtime, IReadOnlyList<ClrThread> threads)
        => new(layout, runtime.DataTarget.DataReader, ThreadLocalData.Locate(runtime.DataTarget.DataReader, threads));

    /// <summary>The thread's waits, the innermost first. Empty where the list was read and is empty.</summary>
    public Known<IReadOnlyList<BlockingItem>> Of(ClrThread thread, CaptureContext context)
    {
        string what = $"waits of thread 0x{thread.OSThreadId:x}";
        if (Head(thread) is not ulong head)
        {
            return Known.Unknown<IReadOnlyList<BlockingItem>>(what, "the thread's own data is not in the input, or has a layout that is not known");
        }

        List<BlockingItem> items = [];
        HashSet<ulong> seen = [];
        for (ulong item = head; item != 0; item = Next(item))
        {
            if (items.Count == context.Limits.WaitsPerThread || !seen.Add(item))
            {
                return Known.Unknown<IReadOnlyList<BlockingItem>>(what, $"the list at 0x{head:x} does not end within {context.Limits.WaitsPerThread} entries");
            }

            if (Item(thread, item) is not { } read)
            {
                return Known.Unknown<IReadOnlyList<BlockingItem>>(what, $"the entry at 0x{item:x} is not in the input, or makes no sense");
            }

            items.Add(read);
        }

        return Known.Read<IReadOnlyList<BlockingItem>>(items);
    }

    /// <summary>The value of t_first; null where it cannot be read.</summary>
    private ulong? Head(ClrThread thread)
    {
        // The runtime itself writes t_first for monitors, without the type's thread statics being set up for managed code:
        // until managed code has touched it once (a contended Lock), the data access knows no address and says 0.
        ulong address = _layout.First.GetAddress(thread);
        if (address == 0)
        {
            if (_threadLocals is null)
            {
                return null;
            }

            if (_threadLocals.FirstBlockingInfo(thread) is not ulong slot)
            {
                return null;
            }

            if (slot == 0)
            {
                return 0;
            }

            address = slot;
        }

        return _reader.ReadPointer(address, out ulong head) ? head : null;
    }

    private BlockingItem? Item(ClrThread thread, ulong address)
    {
        return _reader.ReadPointer(At(address, _layout.ObjectPtr), out ulong objectPtr)
            && objectPtr != 0
            && _reader.Read(At(address, _layout.Kind), out int kind)
            && kind is >= (int)BlockingKind.MonitorLock and <= (int)BlockingKind.Condition
            && _reader.Read(At(address, _layout.Timeout), out int timeout)
            && timeout >= -1
            && _reader.ReadPointer(At(address, _layout.Next), out _)
                ? new BlockingItem(thread, (BlockingKind)kind, objectPtr, timeout)
                : null;
    }

    private ulong Next(ulong address) => _reader.ReadPointer(At(address, _layout.Next), out ulong next) ? next : 0;

    // The address is what some word in the target holds, so a sum may wrap round.
    private static ulong At(ulong address, int offset) => unchecked(address + (uint)offset);
}
