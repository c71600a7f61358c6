using HangTriage.Capture.Managed.Clock;
using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Fields;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Movers;
using HangTriage.Capture.Managed.Outside;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Reach;
using HangTriage.Capture.Managed.Requests;
using HangTriage.Capture.Managed.Semaphores;
using HangTriage.Capture.Managed.Sources;
using HangTriage.Capture.Managed.Stalls;
using HangTriage.Capture.Managed.Tasks.Graph;
using HangTriage.Facts;
using HangTriage.Facts.Time;
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
    public static ManagedReading Read(ClrRuntime runtime, CaptureContext context)
        => Read(runtime, static _ => null, crashed: null, context);

    /// <summary>The same for a source that has the threads' system calls.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="hasTimeout">Whether the system call that a thread is in was given a timeout; null where that is not known.</param>
    /// <param name="crashed">The thread that the process crashed in; null where it did not, or that is not known.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    internal static ManagedReading Read(ClrRuntime runtime, Func<uint, bool?> hasTimeout, ThreadId? crashed, CaptureContext context)
    {
        ArgumentNullException.ThrowIfNull(runtime);
        ArgumentNullException.ThrowIfNull(context);
        List<Gap> gaps = [];
        ClrThread[] threads = LiveThreads(runtime, context, gaps);
        ThreadFrames walked = new(context);
        HeapProbe heap = HeapProbe.Run(runtime);
        string? missing = heap.Missing ?? heap.TypesMissing;
        gaps.AddRange(heap.Partial);
        LocksAndWaits locksAndWaits = LocksAndWaitsOf(runtime, threads, heap, walked, context, gaps);

        using SourceLines sources = new(context);
        using InlinedCalls inlined = new(runtime, context);
        Dictionary<ThreadId, ManagedThread> managed =
            StacksOf(runtime, threads, ThreadNames.Reader(runtime, heap, context, gaps), walked, heap, sources, inlined, context);
        Lazy<RuntimeRoots> roots = new(() => RuntimeRoots.Read(runtime, threads, walked, context, gaps));
        WaitOwners owners = new(locksAndWaits);
        using PollsReader polls = new(runtime, threads, locksAndWaits.Woken, walked, inlined, context);
        HeapFacts fromHeap = missing is not null
            ? HeapFacts.Unknown(missing)
            : HeapFacts.Read(runtime, threads, walked, roots, owners, polls, sources, context, gaps);
        SemaphoreOwners held = SemaphoreOwners.Find(runtime, threads, walked, polls.Modules, owners.Named(), fromHeap.Inventory, context);
        locksAndWaits = held.LocksAndWaits;

        ManagedFacts facts = new()
        {
            Runtime = RuntimeDescription.Of(runtime.ClrInfo),
            Locks = missing is not null ? locksAndWaits.Locks
                : new LockHolders(runtime, threads, context).Name(locksAndWaits.Locks, locksAndWaits.Waits),
            Waits = locksAndWaits.Waits,
            Woken = locksAndWaits.Woken.Count > 0 ? locksAndWaits.Woken : null,
            Collections = fromHeap.Collections,
            Flows = held.Named(fromHeap.Flows),
            Polls = fromHeap.Polls,
            LockedLoops = fromHeap.LockedLoops,
            StuckBlocks = fromHeap.StuckBlocks,
            LockFree = fromHeap.LockFree,
            Work = fromHeap.Work,
            QueueReaders = fromHeap.Queues,
            Children = fromHeap.Children,
            Listens = fromHeap.Listens,
            Unsent = fromHeap.Unsent,
            EndedServices = fromHeap.EndedServices,
            Outside = OutsideOf(threads, walked, new DatabaseHolders(threads, fromHeap.Transactions), managed, missing, context),
            HandlesSignals = missing is not null ? Known.Unknown<bool>("signal handlers", missing) : SignalHandlers.Read(runtime),
            Pool = PoolReader.Read(runtime, locksAndWaits.Waits, missing, context),
        };
        TaskStarts starts = new(FlowCircles.Of(fromHeap.Inventory, runtime.Heap), held.Flows());
        facts = TasksReader.Add(runtime, roots, facts, starts, missing, context, gaps);
        facts = new StallReader(runtime, threads, walked, roots, context, gaps).Add(facts, missing);
        facts = WithReach(runtime, roots, facts, fromHeap, stacks => stacks == threads.Length, hasTimeout, context);
        facts = missing is not null ? facts
            : WithAges(runtime, threads, walked, locksAndWaits.Monitors, roots, facts, fromHeap.Inventory, context);

        return new ManagedReading(facts, managed, gaps)
        {
            HasHeap = heap.Missing is null,
            Program = ProgramAssembly.Of(runtime, context),
            Exception = crashed is { } id ? ExceptionOf(threads, id, sources, context) : null,
        };
    }

    private static ManagedFacts WithAges(
        ClrRuntime runtime, ClrThread[] threads, ThreadFrames walked, MonitorTable? monitors, Lazy<RuntimeRoots> roots, ManagedFacts facts,
        FlowInventory? inventory, CaptureContext context)
    {
        ManagedFacts aged = AgeReader.Add(runtime, threads, walked, monitors, facts, inventory, context, out ClockFacts? ofTimers);
        return aged with { Requests = RequestReader.Read(runtime, roots, inventory, ofTimers, context) };
    }

    private static ManagedFacts WithReach(
        ClrRuntime runtime, Lazy<RuntimeRoots> roots, ManagedFacts facts, HeapFacts fromHeap, Func<int, bool> areStacksWhole,
        Func<uint, bool?> hasTimeout, CaptureContext context)
    {
        WalkedHeap walked = new(fromHeap.Inventory, fromHeap.Users, fromHeap.Faults);
        ManagedFacts reached = ReachReader.Add(runtime, roots, facts, walked, areStacksWhole, hasTimeout, context);
        return reached with
        {
            Movers = MoversOf(runtime, roots, reached, fromHeap, hasTimeout, context),
            Serving = facts.Listens is { Count: > 0 }
                ? Attempt.Find("threads that serve connections", () => ServingThreads.Of(runtime, roots.Value.Stacks)) : null,
        };
    }

    private static Known<IReadOnlyList<MoverFacts>>? MoversOf(
        ClrRuntime runtime, Lazy<RuntimeRoots> roots, ManagedFacts facts, HeapFacts fromHeap, Func<uint, bool?> hasTimeout,
        CaptureContext context)
        => fromHeap.Inventory is { } inventory && facts.Flows is { HasValue: true } flows
            ? Attempt.Read(MoversReader.What, () => fromHeap.Acting() is { } acting
                ? Known.Derived(new MoversReader(
                    runtime, roots.Value, new ReachThreads(facts, roots.Value.Handles, hasTimeout), inventory, acting, context)
                    .Read(flows.Value))
                : Known.Unknown<IReadOnlyList<MoverFacts>>(MoversReader.What, "not all of the program's instructions were read"))
            : null;

    private static ThrownException? ExceptionOf(ClrThread[] threads, ThreadId crashed, SourceLines sources, CaptureContext context)
        => LastException.Of(threads.FirstOrDefault(thread => thread.OSThreadId == crashed.Value), sources, context);

    private static Dictionary<ThreadId, ManagedThread> StacksOf(
        ClrRuntime runtime, ClrThread[] threads, Func<ClrThread, Known<string>> nameOf, ThreadFrames walked, HeapProbe heap,
        SourceLines sources, InlinedCalls inlined, CaptureContext context)
    {
        context.Progress?.Report("managed stacks");
        Dictionary<ThreadId, ManagedThread> managed = [];
        foreach (ClrThread thread in threads)
        {
            context.Step();
            managed.TryAdd(
                new ThreadId(thread.OSThreadId),
                new ManagedThread(
                    thread.ManagedThreadId, nameOf(thread),
                    ManagedStack.Read(thread, walked, heap.TypesMissing, sources, inlined, context)));
        }

        return managed;
    }

    private static Known<IReadOnlyList<OutsideWaitFacts>> OutsideOf(
        ClrThread[] threads, ThreadFrames walked, DatabaseHolders databases, Dictionary<ThreadId, ManagedThread> managed, string? missing,
        CaptureContext context)
        => missing is null
            ? Attempt.Read(
                "waits for other processes", () => Known.Derived(new OutsideReader(threads, walked, databases, context).Read(managed)))
            : Known.Unknown<IReadOnlyList<OutsideWaitFacts>>("waits for other processes", missing);

    private static LocksAndWaits LocksAndWaitsOf(
        ClrRuntime runtime,
        ClrThread[] threads,
        HeapProbe heap,
        ThreadFrames walked,
        CaptureContext context,
        List<Gap> gaps)
    {
        if (heap.Missing is { } why)
        {
            return LocksAndWaits.Unknown(why);
        }

        context.Progress?.Report("monitors");
        Known<MonitorTable> monitors = Attempt.Read("monitors", () => MonitorTable.Read(runtime, context));
        context.Progress?.Report("waits");
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

            NativeLeaves.StandIn(runtime, threads, context);
            return threads;
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            gaps.Add(Attempt.Failed("managed threads", e));
            return [];
        }
    }
}
