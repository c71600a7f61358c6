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
        => search.Graph.Behind(search.Graph.NodesAt(lent), MostSteps, node => FlowAt(node) is null && search.ThreadAt(AddressOf(node)) is null)
            .Select(FlowAt).OfType<FlowBox>().Select(MoverOf).FirstOrDefault(found => found is not null);

    private ulong AddressOf(int node) => search.Graph.AddressOf(node);

    private FlowBox? FlowAt(int node) => flows.Boxes.Find(AddressOf(node)) is { State: >= 0 } flow ? flow : null;

    private ReachMover? MoverOf(FlowBox flow)
        => flows.SampleOf(flow.Address) is { } sample
            && AwaitEnds.RootOf(flows.Resolver.Of(flow)) is FlowRoot.Timer or FlowRoot.PoolQueue
            && hands()?.Has(flows.Chains.Above(flow.Address).Take(MostFlows).Prepend(flow), [], GivesBack) == true
                ? new ReachMover { Flow = new Address(sample), HasInHand = true }
                : null;

    private static bool GivesBack(IlModule module, int method, IlInstruction instruction)
        => instruction.IsCall && module.Names.Member(instruction.Operand)?.Name is "Close" or "CloseAsync" or "Dispose" or "DisposeAsync";
}
