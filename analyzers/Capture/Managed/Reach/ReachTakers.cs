using HangTriage.Capture.Managed.Polls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Who takes what is waited for out of the queue in which it lies: of those who alone come to the code that ends the waits, the ones that
/// have the queue.
/// </summary>
internal sealed class ReachTakers(ReachGraph graph, ClrHeap heap)
{
    private const int MostTakers = 8;
    private const int MostSteps = 64;
    private const int MostObjects = 512;

    private static readonly string[] s_queues =
    [
        "System.Threading.Channels.", "System.Collections.Generic.Queue<", "System.Collections.Concurrent.ConcurrentQueue<",
        "System.Collections.Concurrent.BlockingCollection<", "System.Collections.Generic.PriorityQueue<",
    ];

    /// <param name="targets">What is waited for.</param>
    /// <param name="uses">The code that ends the waits.</param>
    /// <returns>Their nodes; empty where not all lie in queues, and where others may end the waits.</returns>
    public IReadOnlyList<int> Of(IReadOnlyList<int> targets, IReadOnlyList<CodeUse> uses)
    {
        if (uses.Count == 0 || uses.Any(use => use.IsOpen || use.Objects.Count > 0))
        {
            return [];
        }

        ulong[] takers = [.. uses.SelectMany(use => use.By).Distinct().Take(MostTakers + 1)];
        if (takers.Length is 0 or > MostTakers)
        {
            return [];
        }

        // Each of them may have taken one out already.
        ulong[] queued = [.. targets.Select(QueueOf).OfType<ulong>()];
        return queued.Length == 0 || queued.Length + takers.Length < targets.Count ? []
            : [.. takers.Where(taker => queued.Distinct().All(queue => Has(taker, queue))).Select(graph.Find).OfType<int>()];
    }

    private ulong? QueueOf(int target)
        => graph.Behind([target], MostSteps, _ => true).Select(graph.AddressOf).Where(address => IsQueue(heap.GetObject(address)))
            .Select(address => (ulong?)address).FirstOrDefault();

    private static bool IsQueue(ClrObject found)
        => found.Type is { IsArray: false, Name: { } name }
            && Array.Exists(s_queues, queue => name.StartsWith(queue, StringComparison.Ordinal));

    // By its variables, and by what those have.
    private bool Has(ulong taker, ulong queue)
    {
        HashSet<ulong> seen = [taker];
        Queue<ulong> open = new(seen);
        while (!seen.Contains(queue) && seen.Count < MostObjects && open.TryDequeue(out ulong address))
        {
            foreach (ulong next in Next(address).Where(seen.Add))
            {
                open.Enqueue(next);
            }
        }

        return seen.Contains(queue);
    }

    private IEnumerable<ulong> Next(ulong address)
        => heap.GetObject(address) is { IsNull: false, Type: { IsArray: false, ContainsPointers: true } } found
            ? found.EnumerateReferences(carefully: true, considerDependantHandles: false).Select(next => next.Address)
            : [];
}
