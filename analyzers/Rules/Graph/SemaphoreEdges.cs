using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>The edges from semaphores to those who have their entries: each of them can give one back.</summary>
internal static class SemaphoreEdges
{
    public static IEnumerable<WaitEdge> Of(ProcessSnapshot snapshot)
        => snapshot.Managed is { } section && section.TryGet(out ManagedFacts? managed)
            && managed.Locks.TryGet(out IReadOnlyList<LockFacts>? locks)
            ? locks.SelectMany(Of)
            : [];

    private static IEnumerable<WaitEdge> Of(LockFacts @lock)
        => from holder in @lock.Holders ?? []
           let to = WaitNode.Of(holder.Thread, holder.Flow)
           where to is not null
           select new WaitEdge(WaitNode.Of(@lock.Id), to, EdgeKind.HeldBy, Trust.Derived, "its place between the wait and the release")
           {
               Alternatives = @lock.Holders!.Count,
           };
}
