using HangTriage.Capture.Managed.Code;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Who has what a pool has lent, pauses with it, and comes to where it is given back.</summary>
internal sealed class ReachReturns(ReachSearch search, FlowInventory flows, Func<WorkInHand?> hands)
{
    private const int MostSteps = 256;
    private const int MostFlows = 64;

    /// <param name="lent">What the users have.</param>
    /// <returns>Null where nobody is seen to.</returns>
    public ReachMover? Of(IEnumerable<ulong> lent) => lent.Select(Of).FirstOrDefault(found => found is not null);

    private ReachMover? Of(ulong lent)
    {
        HashSet<int> seen = [.. search.Graph.NodesAt(lent)];
        Queue<int> open = new(seen);
        for (int steps = 0; open.TryDequeue(out int node) && steps < MostSteps; steps++)
        {
            foreach (int from in search.Graph.LeadingTo(node).Where(seen.Add))
            {
                ulong address = search.Graph.AddressOf(from);
                if (flows.Boxes.Find(address) is { State: >= 0 } flow)
                {
                    if (MoverOf(flow) is { } mover)
                    {
                        return mover;
                    }
                }
                else if (search.ThreadAt(address) is null)
                {
                    open.Enqueue(from);
                }
            }
        }

        return null;
    }

    private ReachMover? MoverOf(FlowBox flow)
        => flows.SampleOf(flow.Address) is { } sample
            && AwaitEnds.RootOf(flows.Resolver.Of(flow.Awaited)) is FlowRoot.Timer or FlowRoot.PoolQueue
            && hands()?.Has(flows.Chains.Above(flow.Address).Take(MostFlows).Prepend(flow), [], GivesBack) == true
                ? new ReachMover { Flow = new Address(sample), HasInHand = true }
                : null;

    private static bool GivesBack(IlModule module, int method, IlInstruction instruction)
        => instruction.IsCall && module.Names.Member(instruction.Operand)?.Name is "Close" or "CloseAsync" or "Dispose" or "DisposeAsync";
}
