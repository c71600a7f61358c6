using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>
/// Every worker of the thread pool is blocked, and work is queued that none is left to do: what they wait for can be in that
/// queue, and apparently is where most wait for tasks or one wait leads there. As the runtime itself sees it: requests
/// wait, and as many workers are busy as it wants.
/// </summary>
public sealed class PoolStarvationRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT2010", "thread pool starvation", "Every worker of the thread pool waits for a task, and work is queued that none is left to do.")
    {
        Patterns = Pattern.PoolStarved | Pattern.PoolBlocked,
        Needs = Need.Managed | Need.Threads,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        ThreadAssessment[] workers = [.. context.Threads.Where(thread => PoolWorker.IsAtWork(thread.Thread))];
        HashSet<string> places = [.. workers.Where(PoolWorker.IsBlocked).Select(PoolWorker.MethodOf).OfType<string>()];
        PoolOutlook outlook = new(context);
        ThreadAssessment[] blocked =
        [
            .. workers.Where(worker =>
                PoolWorker.IsBlocked(worker) || outlook.SpinsBeforeWait(worker, places) || outlook.NapsInItem(worker)),
        ];
        if (context.Managed?.Pool is not { } known || blocked.Length < Math.Max(Thresholds.WorkersOfStarvedPool, workers.Length))
        {
            return RuleOutcome.Clean();
        }

        bool waitForTasks = blocked.Count(outlook.WaitsForTask) >= blocked.Length * Thresholds.TaskWaitersShare;
        if ((known.Gap ?? known.Value.Workers.Gap ?? known.Value.Queued.Gap) is { } missing)
        {
            return CanBeStarved(outlook, blocked, waitForTasks) ? RuleOutcome.Blind(missing) : RuleOutcome.Clean(missing);
        }

        return !IsBusy(known.Value, blocked.Length) ? RuleOutcome.Clean()
            : HasGrown(known.Value)
                ? RuleOutcome.Of(Judge(context, outlook, known.Value, blocked, waitForTasks) is { } found ? [found] : [])
            : known.Value.StarvationEntries.Gap is { } log && CanBeStarved(outlook, blocked, waitForTasks) ? RuleOutcome.Blind(log)
            : RuleOutcome.Clean();
    }

    /// <summary>The workers' waits are such as starvation is made of, whatever the pool says of itself.</summary>
    private static bool CanBeStarved(PoolOutlook outlook, ThreadAssessment[] blocked, bool waitForTasks)
        => waitForTasks || blocked.Any(outlook.WaitsForQueue) || !blocked.Any(outlook.MakesProgress);

    private Observation? Judge(RuleContext context, PoolOutlook outlook, PoolFacts pool, ThreadAssessment[] blocked, bool waitForTasks)
    {
        PoolProgress progress = new(context, blocked);
        StarvedPool starved = new(context, outlook, Info, pool, blocked, progress);
        if (waitForTasks)
        {
            return IsEnough(blocked.Count(outlook.WaitsForQueue), blocked) ? starved.ThroughTasks()
                : IsEnough(blocked.Count(outlook.IsFollowed), blocked) ? starved.WithoutOutlook()
                : starved.Describe();
        }

        if (IsEnough(blocked.Count(worker => outlook.EndsOf(worker.Thread.OsId).Any()), blocked))
        {
            return starved.ThroughSignals();
        }

        return blocked.FirstOrDefault(outlook.WaitsForQueue) is { } worker ? starved.ThroughOthers(worker)
            : !(StarvedPool.IsFull(pool) || StarvedPool.HasLoggedIt(pool)) || blocked.Any(outlook.MakesProgress) ? null
            : StarvedPool.IsFull(pool) && blocked.All(outlook.WaitsForPool) ? starved.ThroughPool()
            : starved.WithoutOutlook();
    }

    private static bool IsEnough(int some, ThreadAssessment[] blocked) => some >= blocked.Length * Thresholds.TaskWaitersShare;

    private static bool IsBusy(PoolFacts pool, int blocked)
    {
        PoolWorkers workers = pool.Workers.Value;
        return pool.Queued.Value.Total() > 0 && workers.Processing >= workers.Goal && workers.Processing <= blocked + Starting(blocked);
    }

    // One that the pool has just made counts as busy before it has taken anything.
    private static int Starting(int blocked) => blocked / Thresholds.WorkersPerStarting;

    private static bool HasGrown(PoolFacts pool)
        => pool.Workers.Value.Existing > pool.Workers.Value.Least || StarvedPool.IsFull(pool) || StarvedPool.HasLoggedIt(pool);
}
