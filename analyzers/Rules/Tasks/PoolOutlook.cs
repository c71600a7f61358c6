using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>What becomes of blocked pool workers.</summary>
internal sealed class PoolOutlook(RuleContext context)
{
    // What their ends are is asked of each of a crowd.
    private const int MostEnds = 64;

    private readonly HashSet<TaskNeedKind> _queued =
    [
        TaskNeedKind.PoolQueue,
        .. context.Managed?.Pool is { } known && known.TryGet(out PoolFacts? pool)
            ? (pool.Items ?? []).Select(item => PoolItemTypes.Brings(item.Type)).OfType<TaskNeedKind>()
            : [],
    ];

    /// <summary>It blocks until a task completes.</summary>
    public bool WaitsForTask(ThreadAssessment worker)
        => context.FindTaskWait(worker.Thread.OsId) is not null || PoolWorker.WaitsForTask(worker.Thread);

    /// <summary>
    /// All that the worker's tasks need was followed, to timers and operations of the system whose ends are not queued. A timer that only
    /// leads to the task, as that which tidies a pool of connections does to all who wait for one, is no end.
    /// </summary>
    public bool WaitsOutside(ThreadAssessment worker)
        => context.FindTaskWait(worker.Thread.OsId) is { } wait
            && wait.Tasks.SelectMany(task => context.Fates.Ends(task, MostEnds)).Select(end => end.Need).ToArray() is { Length: > 0 } ends
            && ends.All(end => (end.Kind == TaskNeedKind.Io || end is { Kind: TaskNeedKind.Timer, Trust: Trust.Read })
            && !_queued.Contains(end.Kind));

    /// <summary>The worker makes progress without the pool, as far as can be seen: its wait has an end, or leads to work outside.</summary>
    public bool MakesProgress(ThreadAssessment worker)
        => Timeouts.InCallOf(worker.Thread) == true || context.Fates.Of(WaitNode.Of(worker.Thread.OsId)) == Fate.Progresses;

    /// <summary>
    /// What can end the worker's wait, of all that leads to it, is queued work or a timer, whose callback is queued, too: neither runs
    /// while no worker is left.
    /// </summary>
    public bool WaitsForPool(ThreadAssessment worker)
        => context.WaitsOf(worker.Thread.OsId) is { Count: > 0 } waits && waits.All(wait => wait.Reach is { By: FlowRoot.Timer or FlowRoot.PoolQueue });

    /// <summary>
    /// What the worker waits for waits, at its end, for an item of the pool's queues: for work, or for a timer or an operation of the
    /// system
    /// whose completion has to pass through an item that is queued.
    /// </summary>
    public bool WaitsForQueue(ThreadAssessment worker)
    {
        HashSet<WaitNode> seen = [WaitNode.Of(worker.Thread.OsId)];
        Queue<WaitNode> open = new(seen);
        while (open.TryDequeue(out WaitNode? node))
        {
            if (node.Task is { } task && context.FindTask(task)?.Needs.Any(need => _queued.Contains(need.Kind)) == true)
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
