using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>What becomes of blocked pool workers that do not wait for tasks themselves.</summary>
internal sealed class PoolOutlook(RuleContext context)
{
    private readonly FateFinder _fates = new(context);

    /// <summary>The worker gets on without the pool, as far as can be seen: its wait has an end, or leads to work outside.</summary>
    public bool GetsOn(ThreadAssessment worker)
        => Timeouts.InCallOf(worker.Thread) == true || _fates.Of(WaitNode.Of(worker.Thread.OsId)) == Fate.Progresses;

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

    /// <summary>The finding where a worker waits, through a lock, for what is queued behind the workers.</summary>
    public Finding ThroughOthers(Finding starved, ThreadAssessment worker, string place) => starved with
    {
        Chain = [.. context.Graph.ChainFrom(WaitNode.Of(worker.Thread.OsId)).Select(edge => Parties.Link(context, edge))],
        ConfidenceReason = "all workers are blocked, and a wait was followed from one of them to an item that is queued for the pool",
        Culprit = starved.Culprit! with { Role = $"its workers wait in {place} for what needs a worker" },
        Advice =
        [
            "Let no thread wait for the pool while it holds what the pool's workers wait for.",
            "Until then more workers put it off (ThreadPool.SetMinThreads), at the price of a thread for each request.",
        ],
    };

    /// <summary>The finding where nothing tells whether the workers wait for what is queued.</summary>
    public static Finding Open(Finding starved, string place) => starved with
    {
        Severity = Severity.Warning,
        Kind = VerdictKind.Inconclusive,
        Title = $"All workers of the thread pool are blocked, in {place} above all, it can have no more, and work waits for one; whether that is what they wait for is recorded nowhere",
        Confidence = Confidence.Possible,
        ConfidenceReason = "the pool can have no more workers, and all that it has are blocked; whether what they wait for is queued is recorded nowhere",
        Culprit = starved.Culprit! with { Role = $"its workers wait in {place}" },
        Advice = [$"Find out who ends the waits in {place}: if that is work for the pool, no worker is left to do it."],
    };
}
