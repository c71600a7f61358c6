using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Outside;
using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Reach;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Capture.Managed.Stalls;
using HangTriage.Capture.Managed.Tasks.Graph;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Snapshots;

/// <summary>
/// Reads what a .NET runtime says of its threads, monitors and waits. Works on every target that ClrMD reads (ELF core,
/// minidump, live process, debugger session). Walks the heap once, and searches it for tasks that a thread is blocked on and
/// that nothing else explains. Not thread-safe, as ClrMD's targets are not.
/// </summary>
/// <remarks>Calls only what ClrMD 4.0 has: a debugger that hosts this assembly brings that version.</remarks>
public static class ManagedReader
{
    /// <summary>Never throws for what the target holds: what cannot be read becomes a gap.</summary>
    /// <exception cref="OperationCanceledException">The context's token was cancelled.</exception>
    public static ManagedReading Read(ClrRuntime runtime, CaptureContext context) => Read(runtime, static _ => null, context);

    /// <summary>The same for a source that has the threads' system calls.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="hasTimeout">Whether the system call that a thread is in was given a time-out; null where that is not known.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    internal static ManagedReading Read(ClrRuntime runtime, Func<uint, bool?> hasTimeout, CaptureContext context)
    {
        ArgumentNullException.ThrowIfNull(runtime);
        ArgumentNullException.ThrowIfNull(context);
        List<Gap> gaps = [];
        ClrThread[] threads = LiveThreads(runtime, context, gaps);

        ThreadFrames walked = new(context);
        HeapProbe heap = HeapProbe.Run(runtime);
        gaps.AddRange(heap.Partial);
        context.Progress?.Report("monitors");
        Known<MonitorTable> monitors = heap.Missing is null
            ? Attempt.Read("monitors", () => MonitorTable.Read(runtime, context))
            : Known.Unknown<MonitorTable>("monitors", heap.Missing);

        context.Progress?.Report("waits");
        LocksAndWaits locksAndWaits = heap.Missing is not null
            ? LocksAndWaits.Unknown(heap.Missing)
            : LocksAndWaitsOf(runtime, threads, monitors, heap, walked, context, gaps);

        context.Progress?.Report("managed stacks");
        Func<ClrThread, Known<string>> nameOf = ThreadNames.Reader(runtime, heap, context, gaps);
        using SourceLines sources = new(context);
        Dictionary<ThreadId, ManagedThread> managed = [];
        foreach (ClrThread thread in threads)
        {
            context.Step();
            managed.TryAdd(
                new ThreadId(thread.OSThreadId),
                new ManagedThread(thread.ManagedThreadId, nameOf(thread), ManagedStack.Read(thread, walked, heap.TypesMissing, sources, context)));
        }

        Lazy<RuntimeRoots> roots = new(() => RuntimeRoots.Read(runtime, threads, walked, context, gaps));
        HeapFacts fromHeap = (heap.Missing ?? heap.TypesMissing) is { } missing
            ? HeapFacts.Unknown(missing)
            : HeapFacts.Read(runtime, threads, walked, roots, sources, context, gaps);

        ManagedFacts facts = new()
        {
            Runtime = RuntimeDescription.Of(runtime.ClrInfo),
            Locks = (heap.Missing ?? heap.TypesMissing) is null
                ? new LockHolders(runtime, threads, context).Name(locksAndWaits.Locks, locksAndWaits.Waits)
                : locksAndWaits.Locks,
            Waits = locksAndWaits.Waits,
            Collections = fromHeap.Collections,
            Flows = fromHeap.Flows,
            Polls = fromHeap.Polls,
            QueueReaders = fromHeap.Queues,
            Outside = OutsideOf(threads, walked, managed, heap.Missing ?? heap.TypesMissing, context),
            HandlesSignals = (heap.Missing ?? heap.TypesMissing) is { } unseen ? Known.Unknown<bool>("signal handlers", unseen) : SignalHandlers.Read(runtime),
            Pool = PoolReader.Read(runtime, heap.Missing ?? heap.TypesMissing, context),
        };
        facts = TasksReader.Add(runtime, roots, facts, heap.Missing ?? heap.TypesMissing, context, gaps);
        facts = ReachReader.Add(runtime, roots, facts, fromHeap.Inventory, stacks => stacks == threads.Length, hasTimeout, context);
        facts = new StallReader(runtime, threads, walked, context, gaps).Add(facts, heap.Missing ?? heap.TypesMissing);
        return new ManagedReading(facts, managed, gaps) { HasHeap = heap.Missing is null };
    }

    private static Known<IReadOnlyList<OutsideWaitFacts>> OutsideOf(
        ClrThread[] threads, ThreadFrames walked, Dictionary<ThreadId, ManagedThread> managed, string? missing, CaptureContext context)
        => missing is null
            ? Attempt.Read("waits for other processes", () => Known.Derived(new OutsideReader(threads, walked, context).Read(managed)))
            : Known.Unknown<IReadOnlyList<OutsideWaitFacts>>("waits for other processes", missing);

    private static LocksAndWaits LocksAndWaitsOf(
        ClrRuntime runtime,
        ClrThread[] threads,
        Known<MonitorTable> monitors,
        HeapProbe heap,
        ThreadFrames walked,
        CaptureContext context,
        List<Gap> gaps)
    {
        try
        {
            return LocksAndWaits.Read(runtime, threads, monitors, heap.TypesMissing, walked, context, gaps);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            return LocksAndWaits.Unknown(Attempt.Failed("monitors", e).Why);
        }
    }

    private static ClrThread[] LiveThreads(ClrRuntime runtime, CaptureContext context, List<Gap> gaps)
    {
        try
        {
            ClrThread[] threads = [.. runtime.Threads.Where(thread => thread.IsAlive).Take(context.Limits.Threads + 1)];
            if (threads.Length > context.Limits.Threads)
            {
                gaps.Add(new Gap("managed threads", $"more than the limit of {context.Limits.Threads}; the rest is left out"));
                return threads[..context.Limits.Threads];
            }

            if (threads.Length == 0)
            {
                gaps.Add(new Gap("managed threads", "the runtime lists none: it had not started, or its thread list is not in the input"));
            }

            return threads;
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            gaps.Add(Attempt.Failed("managed threads", e));
            return [];
        }
    }
}
