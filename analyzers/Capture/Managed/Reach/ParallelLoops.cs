using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// The tasks of Parallel.ForEachAsync and ForAsync: such a loop ends with its workers, which are async methods of .NET's and have what it
/// keeps for them. dotnet/runtime, .NET 8 to 10: Parallel.ForEachAsync.cs.
/// </summary>
internal sealed class ParallelLoops(ReachSearch search, ClrHeap heap, FlowInventory flows)
{
    private const string Method = "System.Threading.Tasks.Parallel.ForEachAsync";
    private const string States = "System.Threading.Tasks.Parallel+For";
    private const string Workers = "System.Threading.Tasks.Parallel.";
    private const string Registration = "System.Threading.CancellationTokenSource+CallbackNode";
    private const int MostBases = 4;

    /// <summary>
    /// The wait for such a task as one for its workers, which are told of themselves; or for those of them that are gone. Null where it is
    /// for another task, or a worker is not seen to wait: it has just been started, or runs.
    /// </summary>
    public FlowWait? Of(FlowWait wait, FlowGrouping group)
    {
        int[] gone = [.. group.AwaitedObjects.Select(Gone).OfType<int>()];
        return gone.Length < group.AwaitedObjects.Count ? null
            : gone.Sum() == 0 ? wait with { Kind = FlowWaitKind.WhenAll, Via = Method }
            : wait with { Via = Method, LostParts = gone.Sum(), Reach = new WaitReach { Holders = [] } };
    }

    // How many of the loop's workers are gone: nothing that is alive leads to them, or they were collected.
    private int? Gone(ulong task)
    {
        if (search.Graph.Find(task) is not { } node
            || search.Graph.LeadingTo(node).FirstOrDefault(IsState, -1) is not (>= 0 and int state)
            || heap.GetObject(search.Graph.AddressOf(state)).Number("_completionRefCount") is not (> 0 and var workers))
        {
            return null;
        }

        ulong[] by = [.. search.Graph.LeadingTo(state).Select(search.Graph.AddressOf).Where(from => from != task).Distinct()];
        int alive = by.Count(from => IsWorker(from) && flows.SampleOf(from) is not null);
        return alive == workers ? 0
            : alive < workers && by.All(from => IsWorker(from) || IsRegistration(from)) ? workers - alive
            : null;
    }

    private bool IsRegistration(ulong address) => heap.GetObject(address).Type?.Name == Registration;

    private bool IsWorker(ulong address)
        => flows.Boxes.Find(address) is { State: >= 0 } box && box.Method?.Name.StartsWith(Workers, StringComparison.Ordinal) == true;

    private bool IsState(int node)
        => heap.GetObject(search.Graph.AddressOf(node)).Type.WithBases(MostBases)
            .Any(type => type.Name?.StartsWith(States, StringComparison.Ordinal) == true);
}
