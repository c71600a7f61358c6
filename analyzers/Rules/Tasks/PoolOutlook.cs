using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>What becomes of blocked pool workers that do not wait for tasks themselves.</summary>
internal sealed class PoolOutlook(RuleContext context)
{
    /// <summary>The worker makes progress without the pool, as far as can be seen: its wait has an end, or leads to work outside.</summary>
    public bool MakesProgress(ThreadAssessment worker)
        => Timeouts.InCallOf(worker.Thread) == true || context.Fates.Of(WaitNode.Of(worker.Thread.OsId)) == Fate.Progresses;

    /// <summary>
    /// What can end the worker's wait, of all that leads to it, is queued work or a timer, whose callback is queued, too: neither runs
    /// while no worker is left.
    /// </summary>
    public bool WaitsForPool(ThreadAssessment worker)
        => context.WaitsOf(worker.Thread.OsId) is { Count: > 0 } waits && waits.All(wait => wait.Reach is { By: FlowRoot.Timer or FlowRoot.PoolQueue });

    /// <summary>What the worker waits for waits, at its end, for an item of the pool's queues.</summary>
    public bool WaitsForQueue(ThreadAssessment worker)
    {
        HashSet<WaitNode> seen = [WaitNode.Of(worker.Thread.OsId)];
        Queue<WaitNode> open = new(seen);
        while (open.TryDequeue(out WaitNode? node))
        {
            if (node.Task is { } task && context.FindTask(task)?.Needs.Any(need => need.Kind == TaskNeedKind.PoolQueue) == true)
            {
                return true;
            }

            foreach (WaitEdge edge in context.Graph.From(node).Where(edge => !edge.EndsByItself && edge.Alternatives == 1 && seen.Add(edge.To)))
            {
                open.Enqueue(edge.To);
            }
        }

        return false;
    }
}
