using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>
/// Every worker of the thread pool is blocked, and work is queued that none is left to do: what they wait for can be in that
/// queue, and is by all appearances where most wait for tasks or one wait leads there. As the runtime itself sees it: requests
/// wait, and as many workers are busy as it wants.
/// </summary>
public sealed class PoolStarvationRule : IRule
{
    private const int FewestWorkers = 2;

    public RuleInfo Info { get; } = new(
        "HT2010", "thread pool starvation", "Every worker of the thread pool waits for a task, and work is queued that none is left to do.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (ManagedSection.Of(context.Snapshot, out RuleOutcome outcome) is not { } managed)
        {
            return outcome;
        }

        if (context.Snapshot.Threads.Gap is { } gap)
        {
            return RuleOutcome.Blind(gap);
        }

        if (managed.Pool is not { } known)
        {
            return outcome;
        }

        ThreadAssessment[] workers = [.. context.Threads.Where(thread => PoolWorker.IsAtWork(thread.Thread))];
        ThreadAssessment[] blocked = [.. workers.Where(PoolWorker.IsBlocked)];
        if (blocked.Length < Math.Max(FewestWorkers, workers.Length))
        {
            return RuleOutcome.Clean();
        }

        bool waitForTasks = blocked.Count(WaitsForTask) * 2 >= blocked.Length;
        Gap? missing = known.Gap ?? known.Value.Workers.Gap ?? known.Value.Queued.Gap;
        return missing is not null ? waitForTasks ? RuleOutcome.Blind(missing) : RuleOutcome.Clean()
            : IsStarved(known.Value, blocked.Length) && Judge(context, known.Value, blocked, waitForTasks) is { } finding ? RuleOutcome.Found([finding])
            : RuleOutcome.Clean();
    }

    private Finding? Judge(RuleContext context, PoolFacts pool, ThreadAssessment[] blocked, bool waitForTasks)
    {
        if (waitForTasks)
        {
            return Describe(context, pool, blocked);
        }

        PoolOutlook outlook = new(context);
        return blocked.FirstOrDefault(outlook.WaitsForQueue) is { } worker ? outlook.ThroughOthers(Describe(context, pool, blocked), worker, PlacesOf(blocked)[0].Key)
            : CanGrowNoMore(pool.Workers.Value) && !blocked.Any(outlook.GetsOn) ? PoolOutlook.Open(Describe(context, pool, blocked), PlacesOf(blocked)[0].Key)
            : null;
    }

    private static bool WaitsForTask(ThreadAssessment worker) => PoolWorker.WaitsForTask(worker.Thread);

    private static bool IsStarved(PoolFacts pool, int blocked)
    {
        PoolWorkers workers = pool.Workers.Value;
        return pool.Queued.Value.Total() > 0
            && workers.Processing >= workers.Goal
            && workers.Processing <= blocked
            && (workers.Existing > workers.Least || CanGrowNoMore(workers) || HasStarved(pool));
    }

    private static bool CanGrowNoMore(PoolWorkers workers) => workers.Existing >= workers.Most;

    private static bool HasStarved(PoolFacts pool) => pool.StarvationEntries.Is(count => count > 0);

    private Finding Describe(RuleContext context, PoolFacts pool, ThreadAssessment[] blocked)
    {
        PoolWorkers workers = pool.Workers.Value;
        PoolQueues queues = pool.Queued.Value;
        IGrouping<string, ThreadAssessment>[] places = PlacesOf(blocked);
        string place = places[0].Key;
        WaitNode[] held = [.. blocked.SelectMany(worker => context.Graph.ThreadsBehind(WaitNode.Of(worker.Thread.OsId)))];
        bool isSure = CanGrowNoMore(workers) || HasStarved(pool);
        string items = string.Create(CultureInfo.InvariantCulture, $"{queues.Total()} work item{(queues.Total() == 1 ? string.Empty : "s")}");
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Hang,
            Kind = VerdictKind.Starvation,
            Confidence = isSure ? Confidence.Likely : Confidence.Possible,
            ConfidenceReason = isSure
                ? CanGrowNoMore(workers)
                    ? "the pool has as many workers as it may have, and all of them are blocked; which of the queued items they wait for was not followed"
                    : "the pool's own log says that it starved, and all of its workers are blocked; which of the queued items they wait for was not followed"
                : "the pool has grown and all of its workers are blocked; one capture cannot show for how long",
            Title = string.Create(CultureInfo.InvariantCulture, $"The thread pool is starved: all {blocked.Length} workers are blocked, {places[0].Count()} of them in {place}, and {items} wait{(queues.Total() == 1 ? "s" : string.Empty)} for a worker"),
            Culprit = Party.OfPool("the thread pool") with { Role = $"its workers wait for tasks in {place} (sync over async)" },
            Victims = [.. blocked.Select(worker => Parties.OfThread(context, worker.Thread.OsId)).Concat(held.Distinct().Select(node => Parties.Of(context, node))).DistinctBy(party => party.Thread)],
            Evidence =
            [
                new Evidence(
                    string.Create(CultureInfo.InvariantCulture, $"{workers.Processing} of {workers.Existing} workers have an item, the pool wants {workers.Goal} at work (from {workers.Least} to {workers.Most} are allowed)"),
                    "thread pool",
                    pool.Workers.Trust),
                new Evidence(
                    string.Create(CultureInfo.InvariantCulture, $"{items} queued: {queues.Common} common, {queues.HighPriority} of high priority, {queues.LowPriority} of low, {queues.Local} local"),
                    "thread pool queues",
                    pool.Queued.Trust),
                .. HasStarved(pool)
                    ? [new Evidence(string.Create(CultureInfo.InvariantCulture, $"the pool added workers {pool.StarvationEntries.Value} times because nothing was taken from its queues"), "log of the thread pool", pool.StarvationEntries.Trust)]
                    : Array.Empty<Evidence>(),
                .. places.Select(group => EvidenceFor(context, group)),
            ],
            Gaps = new[] { pool.StarvationEntries.Gap }.OfType<Gap>().ToArray(),
            Advice =
            [
                $"Do not block on tasks in {place}: await them, and make the callers asynchronous.",
                "Until then more workers put it off (ThreadPool.SetMinThreads), at the price of a thread for each request.",
            ],
            Signature = Signature.Of(Info, OwnStack(places[0].First().Thread.Stack.Frames)),
        };
    }

    private static IGrouping<string, ThreadAssessment>[] PlacesOf(ThreadAssessment[] blocked)
        => [.. blocked.GroupBy(Place, StringComparer.Ordinal).OrderByDescending(group => group.Count()).ThenBy(group => group.Key, StringComparer.Ordinal)];

    // Above the program's own frames every such wait looks the same.
    private static IEnumerable<FrameFacts> OwnStack(IReadOnlyList<FrameFacts> frames)
        => frames.Any(UserCode.IsManaged) ? frames.SkipWhile(frame => !UserCode.IsManaged(frame)) : frames;

    private static string Place(ThreadAssessment worker)
        => UserCode.In(worker.Thread) is { } frame ? FrameText.Of(frame)
            : worker.Frame is { } wait ? FrameText.Of(wait)
            : "a wait";

    private static Evidence EvidenceFor(RuleContext context, IGrouping<string, ThreadAssessment> place)
    {
        ThreadAssessment first = place.First();
        int tasks = place.Count(WaitsForTask);
        string count = place.Count() == 1 ? Parties.Label(context, first.Thread.OsId) + " is" : string.Create(CultureInfo.InvariantCulture, $"{place.Count()} workers are");
        return new Evidence(
            string.Create(CultureInfo.InvariantCulture, $"{count} blocked in {place.Key}{(tasks > 0 ? string.Create(CultureInfo.InvariantCulture, $", {tasks} of them until a task completes") : string.Empty)}"),
            "stacks",
            first.Trust)
        {
            Thread = first.Thread.OsId,
            Frame = UserCode.In(first.Thread) is { } frame ? FrameText.Of(frame) : null,
        };
    }
}
