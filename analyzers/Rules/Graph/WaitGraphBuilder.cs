using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Graph;

/// <summary>Joins everything in the facts that says who waits for whom.</summary>
internal static class WaitGraphBuilder
{
    /// <param name="snapshot">The facts.</param>
    /// <param name="load">The load in progress; null where nothing tells of it.</param>
    public static WaitGraph Build(ProcessSnapshot snapshot, LockFacts? load)
    {
        HashSet<(WaitNode From, WaitNode To)> seen = [];
        Dictionary<ThreadId, bool> timeouts = TimeoutsOf(snapshot);
        HashSet<ThreadId> retrying = PollEdges.Retrying(snapshot);
        IEnumerable<WaitEdge>[] edges =
        [
            SemaphoreEdges.Of(snapshot),
            ManagedEdges(snapshot),
            PollEdges.Of(snapshot),
            QueueEdges.Of(snapshot),
            TaskEdges.Of(snapshot),
            SignalEdges.Of(snapshot),
            NativeEdges(snapshot),
            LoaderEdges(snapshot, load),
            TransactionEdges.Of(snapshot),
            HandEdges.Of(snapshot),
        ];
        return new WaitGraph(edges.SelectMany(found => found)
            .Where(edge => seen.Add((edge.From, edge.To)))
            .Select(edge => WithTimeout(edge, timeouts))
            .Select(edge => edge is { EndsByItself: true, From.Thread: { } waiter } && retrying.Contains(waiter) ? PollEdges.Again(edge) : edge));
    }

    /// <summary>Of each thread in a system call that tells: whether the call ends by itself.</summary>
    private static Dictionary<ThreadId, bool> TimeoutsOf(ProcessSnapshot snapshot)
    {
        Dictionary<ThreadId, bool> timeouts = [];
        foreach (ThreadFacts thread in snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads) ? threads : [])
        {
            if (Timeouts.InCallOf(thread) is bool ends)
            {
                timeouts.TryAdd(thread.OsId, ends);
            }
        }

        return timeouts;
    }

    // Where the runtime records no timeout, the system call that the wait has led to was given one or not. Whoever spins only
    // naps between two looks.
    private static WaitEdge WithTimeout(WaitEdge edge, Dictionary<ThreadId, bool> timeouts)
        => !edge.Timeout.HasValue && edge.To.Lock?.Kind != LockKind.SpinLock && edge.From.Thread is { } waiter && timeouts.TryGetValue(waiter, out bool ends)
            ? ends ? edge with { HasSomeTimeout = true } : edge with { Timeout = Known.Derived(Timeout.InfiniteTimeSpan) }
            : edge;

    private static IEnumerable<WaitEdge> ManagedEdges(ProcessSnapshot snapshot)
        => snapshot.Managed is { } section && section.TryGet(out ManagedFacts? managed)
            ? Edges(managed.Waits, managed.Locks)
            : [];

    private static IEnumerable<WaitEdge> NativeEdges(ProcessSnapshot snapshot)
        => snapshot is { NativeWaits: { } waits, NativeLocks: { } locks } ? Edges(waits, locks) : [];

    private static IEnumerable<WaitEdge> Edges(Known<IReadOnlyList<WaitFacts>> waits, Known<IReadOnlyList<LockFacts>> locks)
    {
        if (waits.TryGet(out IReadOnlyList<WaitFacts>? known))
        {
            ILookup<ThreadId, WaitFacts> alternatives = known.Where(wait => wait.Mode == WaitMode.Any).ToLookup(wait => wait.Thread);
            foreach (WaitFacts wait in known)
            {
                if (Edge(wait) is { } edge)
                {
                    yield return wait.Mode == WaitMode.Any ? edge with { Alternatives = alternatives[wait.Thread].Count() } : edge;
                }
            }
        }

        if (locks.TryGet(out IReadOnlyList<LockFacts>? held))
        {
            foreach (LockFacts @lock in held)
            {
                if (Holds(@lock) is { } edge)
                {
                    yield return edge;
                }

                foreach (WaitEdge reader in Readers(@lock))
                {
                    yield return reader;
                }
            }
        }
    }

    private static IEnumerable<WaitEdge> Readers(LockFacts @lock)
        => @lock.Readers is { } readers && readers.TryGet(out IReadOnlyList<ThreadId>? threads)
            ? threads.Select(thread => new WaitEdge(WaitNode.Of(@lock.Id), WaitNode.Of(thread), EdgeKind.ReadHeldBy, readers.Trust, "the thread's list of locks that it reads under"))
            : [];

    // Whoever pulses or signals ends such a wait; nobody owns that, so no edge leads on from it.
    private static WaitEdge? Edge(WaitFacts wait) => wait switch
    {
        { Kind: WaitKind.Acquire } => new WaitEdge(WaitNode.Of(wait.Thread), WaitNode.Of(wait.Lock), EdgeKind.WaitsFor, wait.Trust, wait.Source)
        {
            Timeout = wait.Timeout,
        },
        { Kind: WaitKind.Exit, TargetThread: { } target } => new WaitEdge(
            WaitNode.Of(wait.Thread), WaitNode.Of(target), EdgeKind.WaitsForEnd, wait.Trust, wait.Source)
        {
            Timeout = wait.Timeout,
        },
        _ => null,
    };

    private static IEnumerable<WaitEdge> LoaderEdges(ProcessSnapshot snapshot, LockFacts? load)
    {
        if (snapshot.Windows is not { } windows || !snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads))
        {
            yield break;
        }

        LockFacts? loaderLock = windows.LoaderLock.TryGet(out LockFacts? known) ? known : null;
        foreach (ThreadFacts thread in threads)
        {
            if (LoaderWait.Of(thread) is not { } wait)
            {
                continue;
            }

            LockFacts? target = wait.IsOnLock || LockTells(loaderLock, load) ? loaderLock : load;
            if (target?.Owner.Is(owner => owner == thread.OsId) == false)
            {
                EdgeKind kind = wait.IsOnLock || target == load ? EdgeKind.WaitsFor : EdgeKind.WaitsForLoadOwner;
                yield return new WaitEdge(WaitNode.Of(thread.OsId), WaitNode.Of(target.Id), kind, wait.Trust, wait.Source);
            }
            else if (target is not null && target == load)
            {
                foreach (ThreadFacts worker in LoadInProgress.BusyWorkers(threads).Where(worker => worker.OsId != thread.OsId))
                {
                    yield return new WaitEdge(
                        WaitNode.Of(thread.OsId), WaitNode.Of(worker.OsId), EdgeKind.WaitsForWork, worker.Teb!.Value.IsLoaderWorker.Trust, wait.Source);
                }
            }
        }

        foreach (LockFacts held in new[] { loaderLock, load }.OfType<LockFacts>())
        {
            if (Holds(held) is { } edge)
            {
                yield return edge;
            }
        }
    }

    // Where nothing marks the load owner, the loader lock's is the nearest thing to it: a load runs the libraries' code under it.
    private static bool LockTells(LockFacts? loaderLock, LockFacts? load)
        => load is null || (!load.Owner.HasValue && loaderLock?.Owner.HasValue == true);

    private static EdgeKind HoldingOf(LockKind kind)
        => kind == LockKind.Suspension ? EdgeKind.HeldUpBy : kind.IsOfRuntime() ? EdgeKind.RunBy : EdgeKind.HeldBy;

    private static WaitEdge? Holds(LockFacts @lock)
        => @lock.Owner.TryGet(out ThreadId owner)
            ? new WaitEdge(WaitNode.Of(@lock.Id), WaitNode.Of(owner), HoldingOf(@lock.Id.Kind), @lock.Owner.Trust, "owner of the lock")
            : null;
}
