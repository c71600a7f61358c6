using System.Runtime.InteropServices;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Locks;

/// <summary>Turns a sync block into facts.</summary>
internal static class MonitorFacts
{
    private const string Handover = "the monitor is passing from one thread to the next";
    private const string Gone = "the thread that took the monitor is not among the runtime's threads";
    private const uint HighestOnLinux = 4_194_304;

    /// <param name="runtime">The runtime that the monitor belongs to.</param>
    /// <param name="threads">Its threads by the address of the runtime's own Thread, those that have ended too.</param>
    /// <param name="entry">The monitor as the data access sees it.</param>
    /// <param name="native">The same monitor as a thread that waits for it sees it; null where none does.</param>
    /// <param name="countsWaiters">The runtime's monitors are native ones, whose state counts the threads that wait.</param>
    /// <param name="context">The limits.</param>
    public static LockFacts Of(
        ClrRuntime runtime,
        IReadOnlyDictionary<ulong, ClrThread> threads,
        MonitorEntry entry,
        NativeMonitor? native,
        bool countsWaiters,
        CaptureContext context)
    {
        bool isFree = native is null ? !entry.IsInUse : !native.IsHeld;
        // The data access answers 1 + 2 * waiters for a held monitor and 2 * waiters for a free one, and ClrMD shows
        // neither, only "more than 0" and half of it. Without an owner the two cannot be told apart, and whoever takes or
        // leaves a monitor sets its state and its owner one after the other.
        bool isHandover = !isFree && entry.IsInUse && entry.OwnerThread == 0 && native is null or { OwnerOsId: 0 };
        return new LockFacts
        {
            Id = new LockId(LockKind.Monitor, new Address(entry.Object)),
            Name = (entry.TypeName ?? MonitorTable.TypeName(runtime, entry.Object, context)) is { } type
                ? Known.Read(type)
                : Known.Unknown<string>("type of the locked object", $"the object at 0x{entry.Object:x}, or its type, is not in the input"),
            IsPassing = isHandover,
            IsHeld = isHandover ? Known.Unknown<bool>("held", Handover) : Known.Read(!isFree),
            OwnerHasEnded = isFree ? null : HasEnded(runtime, threads, entry, native),
            Owner = isFree ? Known.Unknown<ThreadId>("owner", "the monitor is free") : Owner(threads, entry, native, isHandover),
            Recursion = isHandover ? Known.Unknown<uint>("recursion", Handover) : Known.Read(isFree ? 0 : (uint)Math.Max(0, entry.Block.RecursionCount)),
            WaiterCount = Waiters(entry, native, countsWaiters, isHandover),
            HasWokenWaiter = native?.HasWokenWaiter,
        };
    }

    private static Known<ThreadId> Owner(IReadOnlyDictionary<ulong, ClrThread> threads, MonitorEntry entry, NativeMonitor? native, bool isHandover)
    {
        ClrThread? owner = FindOwner(threads, entry);
        if (owner is { IsAlive: true })
        {
            return Known.Derived(new ThreadId(owner.OSThreadId));
        }

        // A thread that ended keeps its managed id and loses the operating system's, unless the native lock had noted it.
        return native is { OwnerOsId: not 0 }
            ? Known.Read(new ThreadId(native.OwnerOsId))
            : Known.Unknown<ThreadId>("owner", owner is null ? isHandover ? Handover : Gone : $"the thread with the managed id {owner.ManagedThreadId} took the monitor and has ended");
    }

    // What the runtime had of a thread that has ended is freed in time; then it is the native lock alone that has noted who took it.
    private static bool? HasEnded(
        ClrRuntime runtime, IReadOnlyDictionary<ulong, ClrThread> threads, MonitorEntry entry, NativeMonitor? native)
        => FindOwner(threads, entry) is { } owner ? !owner.IsAlive
            : native is { IsHeld: true, OwnerOsId: not 0 and var id }
                && IsThreadId(runtime, id) && !threads.Values.Any(thread => thread.IsAlive && thread.OSThreadId == id)
                ? true
                : null;

    // Linux gives no number above PID_MAX_LIMIT (include/linux/threads.h), Windows gives multiples of four.
    private static bool IsThreadId(ClrRuntime runtime, uint id)
        => runtime.DataTarget.DataReader.TargetPlatform == OSPlatform.Windows ? id % 4 == 0 : id <= HighestOnLinux;

    private static ClrThread? FindOwner(IReadOnlyDictionary<ulong, ClrThread> threads, MonitorEntry entry)
        => entry.OwnerThread == 0 ? null : threads.GetValueOrDefault(entry.OwnerThread);

    private static Known<uint> Waiters(MonitorEntry entry, NativeMonitor? native, bool countsWaiters, bool isHandover)
        => !countsWaiters ? Known.Unknown<uint>("waiting threads", "this runtime's monitors do not count them")
            : native is not null ? Known.Read(native.Waiters)
            : isHandover ? Known.Unknown<uint>("waiting threads", Handover)
            // Only of a held monitor is ClrMD's number the monitor's own; of a free one it counts Monitor.Wait, wrongly.
            : Known.Read(entry.IsInUse ? (uint)Math.Max(0, entry.Block.WaitingThreadCount) : 0);
}
