using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Lists the threads and async methods that lead to what they wait for in vain.</summary>
internal sealed class ReachHolders
{
    private const int MostHolders = 16;
    private const int MostHops = 256;
    private const int MostSteps = 20_000;
    private const int MostStepsOfAll = 1_000_000;

    private readonly ReachSearch _search;
    private readonly FlowInventory _flows;
    private readonly ClrHeap _heap;
    private int _left = MostStepsOfAll;

    public ReachHolders(ReachSearch search, FlowInventory flows, ClrHeap heap)
    {
        _heap = heap;
        _search = search;
        _flows = flows;
    }

    /// <summary>For what nothing that runs leads to.</summary>
    public WaitReach Of(IReadOnlyList<int> targets)
    {
        List<ReachHolder> holders = [];
        HashSet<(uint?, ulong?)> known = [];
        HashSet<int> seen = [.. targets];
        Queue<(int Node, int? Code)> open = new(targets.Select(target => (target, (int?)null)));
        bool isInStatic = targets.Any(_search.Graph.IsStatic);
        for (int steps = 0; open.TryDequeue(out (int Node, int? Code) at) && steps < MostSteps && _left-- > 0; steps++)
        {
            foreach (int from in _search.Graph.LeadingTo(at.Node).Where(seen.Add))
            {
                isInStatic |= _search.Graph.IsStatic(from);
                int? code = _search.Graph.CodeOf(from, at.Node) ?? at.Code;
                if (Holder(from, at.Node) is not { } holder)
                {
                    open.Enqueue((from, code));
                }
                else if (CanCome(from, code) && holders.Count < MostHolders && known.Add((holder.Thread?.Value, holder.Flow?.Value)))
                {
                    holders.Add(holder);
                }
            }
        }

        return new WaitReach { IsInStatic = isInStatic, Holders = holders };
    }

    // Who has what is signalled by a call, and cannot come to one, keeps nobody waiting.
    private bool CanCome(int actor, int? code) => code is not { } needed || _search.Graph.LeadingTo(needed).Contains(actor);

    /// <summary>Null for an object.</summary>
    private ReachHolder? Holder(int from, int to)
    {
        ulong address = _search.Graph.AddressOf(from);
        return _search.ThreadAt(address) is { } thread ? new ReachHolder { Thread = new ThreadId(thread.Thread.OSThreadId) }
            : _flows.Boxes.Find(address) is { State: >= 0 } flow ? OfFlow(flow, _search.Graph.LeadsByItsEnd(from, to))
            : null;
    }

    /// <summary>Of one that is in no group, and so is garbage, the innermost that it waits for.</summary>
    private ReachHolder OfFlow(FlowBox flow, bool byItsEnd)
    {
        ulong? sample = _flows.SampleOf(flow.Address);
        for (int step = 0; sample is null && step < MostHops && _flows.Boxes.Find(flow.Awaited) is { State: >= 0, Method: not null } inner; step++)
        {
            flow = inner;
        }

        return new ReachHolder
        {
            Flow = new Address(sample ?? flow.Address),
            Method = flow.Method!.Name,
            Await = flow.State,
            ByItsEnd = byItsEnd,
            IsGarbage = sample is null,
            IsAtRest = sample is null && TaskObject.Kind(_heap.GetObject(flow.Awaited)) == TaskKind.Delay,
        };
    }
}
