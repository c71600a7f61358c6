using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Graph;

/// <summary>Joins everything in the facts that says who waits for whom.</summary>
internal static class WaitGraphBuilder
{
    private const string WaitsFor = "waits for";
    private const string IsHeldBy = "is held by";

    public static WaitGraph Build(ProcessSnapshot snapshot)
        => new([.. ManagedEdges(snapshot), .. LoaderEdges(snapshot)]);

    private static IEnumerable<WaitEdge> ManagedEdges(ProcessSnapshot snapshot)
    {
        if (snapshot.Managed is not { } section || !section.TryGet(out ManagedFacts? managed))
        {
            yield break;
        }

        if (managed.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits))
        {
            // Whoever pulses ends a wait for a pulse; that is not the owner, so no edge leads on from it.
            foreach (WaitFacts wait in waits.Where(wait => wait.Kind == WaitKind.Acquire))
            {
                yield return new WaitEdge(WaitNode.Of(wait.Thread), WaitNode.Of(wait.Lock), WaitsFor, wait.Trust, wait.Source)
                {
                    Timeout = wait.Timeout,
                };
            }
        }

        if (managed.Locks.TryGet(out IReadOnlyList<LockFacts>? locks))
        {
            foreach (LockFacts @lock in locks)
            {
                if (Holds(@lock) is { } edge)
                {
                    yield return edge;
                }
            }
        }
    }

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
                string label = wait.IsOnLock ? "waits for" : "waits for the load owner, through";
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
