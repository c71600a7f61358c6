using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Graph;

/// <summary>Joins everything in the facts that says who waits for whom.</summary>
internal static class WaitGraphBuilder
{
    private const string WaitsFor = "waits for";
    private const string IsHeldBy = "is held by";

    public static WaitGraph Build(ProcessSnapshot snapshot)
    {
        HashSet<(WaitNode From, WaitNode To)> seen = [];
        return new WaitGraph(ManagedEdges(snapshot).Concat(NativeEdges(snapshot)).Concat(LoaderEdges(snapshot))
            .Where(edge => seen.Add((edge.From, edge.To))));
    }

    private static IEnumerable<WaitEdge> ManagedEdges(ProcessSnapshot snapshot)
        => snapshot.Managed is { } section && section.TryGet(out ManagedFacts? managed)
            ? Edges(managed.Waits, managed.Locks)
            : [];

    private static IEnumerable<WaitEdge> NativeEdges(ProcessSnapshot snapshot)
        => snapshot.Windows is { } windows ? Edges(windows.Waits, windows.Locks) : [];

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
            ? threads.Select(thread => new WaitEdge(WaitNode.Of(@lock.Id), WaitNode.Of(thread), "is held for reading by", readers.Trust, "the thread's list of locks that it reads under"))
            : [];

    // Whoever pulses or signals ends such a wait; nobody owns that, so no edge leads on from it.
    private static WaitEdge? Edge(WaitFacts wait) => wait switch
    {
        { Kind: WaitKind.Acquire } => new WaitEdge(WaitNode.Of(wait.Thread), WaitNode.Of(wait.Lock), WaitsFor, wait.Trust, wait.Source)
        {
            Timeout = wait.Timeout,
        },
        { Kind: WaitKind.Exit, TargetThread: { } target } => new WaitEdge(
            WaitNode.Of(wait.Thread), WaitNode.Of(target), "waits for the end of", wait.Trust, wait.Source)
        {
            Timeout = wait.Timeout,
        },
        _ => null,
    };

    private static IEnumerable<WaitEdge> LoaderEdges(ProcessSnapshot snapshot)
    {
        if (snapshot.Windows is not { } windows
            || !windows.LoaderLock.TryGet(out LockFacts? loaderLock)
            || !snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads))
        {
            yield break;
        }

        WaitNode node = WaitNode.Of(loaderLock.Id);
        ThreadId? owner = loaderLock.Owner.TryGet(out ThreadId held) ? held : null;
        foreach (ThreadFacts thread in threads.Where(thread => thread.OsId != owner))
        {
            if (LoaderWait.Of(thread) is { } wait)
            {
                string label = wait.IsOnLock ? WaitsFor : "waits for the load owner, through";
                yield return new WaitEdge(WaitNode.Of(thread.OsId), node, label, wait.Trust, wait.Source);
            }
        }

        if (Holds(loaderLock) is { } edge)
        {
            yield return edge;
        }
    }

    private static WaitEdge? Holds(LockFacts @lock)
        => @lock.Owner.TryGet(out ThreadId owner)
            ? new WaitEdge(WaitNode.Of(@lock.Id), WaitNode.Of(owner), IsHeldBy, @lock.Owner.Trust, "owner of the lock")
            : null;
}
