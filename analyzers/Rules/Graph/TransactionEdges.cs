using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>The edges of threads that wait for the lock of a database: to the thread of this process whose transaction has it.</summary>
internal static class TransactionEdges
{
    public static IEnumerable<WaitEdge> Of(ProcessSnapshot snapshot)
        => snapshot.Managed is { } section && section.TryGet(out ManagedFacts? managed)
            && managed.Outside is { } known && known.TryGet(out IReadOnlyList<OutsideWaitFacts>? waits)
                ? waits.Where(wait => wait.Holder is not null).Select(Edge)
                : [];

    private static WaitEdge Edge(OutsideWaitFacts wait)
        => new(WaitNode.Of(wait.Thread), WaitNode.Of(wait.Holder!.Value), EdgeKind.WaitsForTransaction, Trust.Derived, wait.Source)
        {
            Timeout = wait.Limit is { } limit ? Known.Derived(limit) : Known.Unknown<TimeSpan>("timeout", "not read"),
        };
}
