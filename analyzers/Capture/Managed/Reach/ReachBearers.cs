using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Polls;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Finds who has in hand what is waited for, comes behind his own wait to a call that ends it, and waits: the way on from a promise to what
/// keeps it from being kept.
/// </summary>
internal sealed class ReachBearers(ReachSearch search, ClrHeap heap, ReachThreads threads, FlowInventory flows, ReachSignals signals)
{
    private const int MostSteps = 256;
    private const int MostFlows = 64;

    /// <returns>Null where nobody is seen to. What lies in a list or a queue is in nobody's hand.</returns>
    public ReachHolder? Of(IReadOnlyList<int> targets)
    {
        CodeUse[] uses = [.. targets.SelectMany(signals.UsesOf).Distinct()];
        HashSet<int> seen = [.. targets];
        Queue<int> open = new(seen);
        ReachHolder? direct = null;
        for (int steps = 0; uses.Length > 0 && open.TryDequeue(out int node) && steps < MostSteps; steps++)
        {
            foreach (int from in search.Graph.LeadingTo(node).Where(seen.Add))
            {
                ulong address = search.Graph.AddressOf(from);
                if (search.ThreadAt(address) is { } thread)
                {
                    if (OfThread(thread, uses) is { } bearer)
                    {
                        // Who waits has what he waits for on his stack: only where nobody else has it in hand he waits for himself.
                        if (!targets.Contains(node))
                        {
                            return bearer;
                        }

                        direct ??= bearer;
                    }
                }
                else if (flows.Boxes.Find(address) is { State: >= 0 } flow)
                {
                    if (OfFlow(flow, uses) is { } bearer)
                    {
                        return bearer;
                    }
                }
                else if (!search.Graph.IsStatic(from) && !ReachGates.Keeps(heap.GetObject(address)))
                {
                    open.Enqueue(from);
                }
            }
        }

        return direct;
    }

    private ReachHolder? OfThread(ThreadStack thread, CodeUse[] uses)
        => threads.StateOf(thread) == ReachThreadState.Waits && Array.Exists(uses, use => use.IsAtWork(thread.Thread))
            ? new ReachHolder { Thread = new ThreadId(thread.Thread.OSThreadId) }
            : null;

    // What a flow awaits is where it waits.
    private ReachHolder? OfFlow(FlowBox flow, CodeUse[] uses)
    {
        FlowBox[] chain = [flow, .. flows.Chains.Above(flow.Address).Take(MostFlows)];
        return flow.Method is not { } method || Frameworks.IsOwn(method.Name) || !Array.Exists(uses, use => use.AreAtWork(chain)) ? null
            : flows.SampleOfInnermost(flow.Address) is { } sample
                ? new ReachHolder { Flow = new Address(sample), Method = method.Name, Await = flow.State }
                : null;
    }
}
