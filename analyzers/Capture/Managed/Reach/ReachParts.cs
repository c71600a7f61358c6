using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// The promises that a Task.WhenAll still waits for. It does not know its parts; they know it, as what continues behind them, alone or in a
/// list. Async methods and delays among them are waits of their own, and told there.
/// </summary>
internal static class ReachParts
{
    private const int MostLists = 3;

    public static IReadOnlyList<ulong> PromisesOf(ReachGraph graph, ClrHeap heap, IEnumerable<ulong> all)
        => [.. all.Select(graph.Find).OfType<int>().SelectMany(node => Before(graph, heap, node, MostLists)).Distinct()];

    private static IEnumerable<ulong> Before(ReachGraph graph, ClrHeap heap, int node, int lists)
    {
        foreach (ClrObject from in graph.LeadingTo(node).Select(from => heap.GetObject(graph.AddressOf(from))))
        {
            if (TaskObject.IsAwaitable(from))
            {
                if (TaskObject.Kind(from) == TaskKind.Promise && !TaskObject.IsCompleted(from))
                {
                    yield return from.Address;
                }
            }
            else if (lists > 0 && from.Type?.Name is not null && WhenAllTask.IsList(from))
            {
                foreach (ulong part in graph.Find(from.Address) is { } list ? Before(graph, heap, list, lists - 1) : [])
                {
                    yield return part;
                }
            }
        }
    }
}
