using HangTriage.Capture.Managed.Contexts;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Stalls;

/// <summary>
/// Reads what threads wait for that is the runtime's own and no lock of the program's: static constructors, finalizers, callbacks
/// of timers and tokens, the stop for a garbage collection. Each is a lock whose owner is the thread that has to finish it.
/// </summary>
internal sealed class StallReader(ClrRuntime runtime, IReadOnlyList<ClrThread> threads, ThreadFrames walked, Lazy<RuntimeRoots> roots, CaptureContext context, List<Gap> gaps)
{
    /// <param name="facts">What has been read so far.</param>
    /// <param name="missing">Why objects cannot be read; null where they can.</param>
    public ManagedFacts Add(ManagedFacts facts, string? missing)
    {
        if (missing is not null)
        {
            return facts;
        }

        PendingFinalizers finalizers = new(runtime, threads, walked, context);
        TokenCallbacks tokens = new(threads, walked, context);
        RunningCallbacks running = new(threads, walked, context);
        CallbackEnd[] callbacks = [.. Read("callbacks of timers", running.OfTimers), .. Read("callbacks of registered waits", running.OfRegisteredWaits)];
        Stall[] stalls =
        [
            .. Read("static constructors", () => new StaticConstructors(runtime, threads, walked, context).Find()),
            .. Read("finalizers", finalizers.Find),
            .. Read("handlers of the process's exit", () => new ExitHandlers(threads, walked).Find()),
            .. Read("callbacks of cancellation tokens", tokens.Find),
            .. Read("stop of all threads", () => new Suspensions(threads, walked).Find()),
            .. Read("calls that are sent to a context", () => new SentCalls(threads, walked, context).Find(facts)),
            .. Read("callbacks of file system watchers", () => new WatcherCalls(threads, walked, context).Find(facts)),
            .. callbacks.Select(callback => OfCallback(callback, facts)).OfType<Stall>(),
        ];
        return With(facts, stalls) with
        {
            CollectionWaits = facts.Polls?.Select(polls => new CollectionWaits(runtime, threads, roots, context).Find(polls)),
            Finalizer = Attempt.Read("finalizer thread", () => finalizers.Facts() is { } found ? Known.Read(found) : Known.Unknown<FinalizerFacts>("finalizer thread", "the runtime lists none")),
            Tasks = facts.Tasks.Select(graph => graph with { Tasks = [.. graph.Tasks.Select(task => CallbackTasks.WithRunner(task, callbacks, tokens, runtime))] }),
        };
    }

    // The event that Timer.Dispose or Unregister signals is what the thread waits for by its handle: the callback's end stands for it.
    private static Stall? OfCallback(CallbackEnd ended, ManagedFacts facts)
    {
        if (ended.Handle is not { } handle || !facts.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits))
        {
            return null;
        }

        LockFacts callback = Stall.Held(LockKind.Callback, ended.Address, Known.Derived(ended.Type), Known.Derived(ended.Runner));
        WaitFacts[] own =
        [
            .. waits.Where(wait => wait is { Kind: WaitKind.Signal, Mode: null, Lock.Kind: LockKind.Event or LockKind.KernelObject } && wait.Lock.Address == handle)
                .Select(wait => wait with { Lock = callback.Id, Kind = WaitKind.Acquire, Source = "the event that the end of the callback is to signal", Reach = null }),
        ];
        return own.Length == 0 ? null : new Stall(callback, own);
    }

    private static ManagedFacts With(ManagedFacts facts, Stall[] stalls)
    {
        // The event by which they wait is what stands for it.
        HashSet<ThreadId> bySignal = [.. stalls.Where(stall => stall.Facts.Id.Kind is LockKind.Callback or LockKind.ContextCall).SelectMany(stall => stall.Waits).Select(wait => wait.Thread)];
        return stalls.Length == 0 ? facts : facts with
        {
            Locks = facts.Locks.Select<IReadOnlyList<LockFacts>>(list => [.. list, .. stalls.Select(stall => stall.Facts).DistinctBy(found => found.Id)]),
            Waits = facts.Waits.Select<IReadOnlyList<WaitFacts>>(list => [.. list.Where(wait => !bySignal.Contains(wait.Thread) || wait.Kind is not (WaitKind.Signal or WaitKind.Pulse)), .. stalls.SelectMany(stall => stall.Waits)]),
        };
    }

    private T[] Read<T>(string what, Func<IEnumerable<T>> read)
    {
        try
        {
            return [.. read()];
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            gaps.Add(Attempt.Failed(what, e));
            return [];
        }
    }
}
