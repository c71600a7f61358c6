using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Tasks;

/// <summary>A thread pool all of whose workers are blocked while work is queued, put into words.</summary>
internal sealed class StarvedPool(
    RuleContext context, PoolOutlook outlook, RuleInfo rule, PoolFacts pool, ThreadAssessment[] blocked, PoolProgress progress)
{
    private const int MostKinds = 5;

    private const string MoreWorkers = "Raise the number of workers until then (ThreadPool.SetMinThreads): it puts the starvation off, at the price of a thread for each request.";

    private readonly IGrouping<string, ThreadAssessment>[] _places =
    [
        .. blocked.GroupBy(Place, StringComparer.Ordinal).OrderByDescending(group => group.Count()).ThenBy(group => group.Key, StringComparer.Ordinal),
    ];

    private string MainPlace
        => UserCode.In(_places[0].First().Thread) is { Kind: FrameKind.Managed, Method: { } method } frame && !Frameworks.IsDynamic(method)
        ? MethodText.Short(method) + (frame.Source is { } line ? $" ({line})" : string.Empty)
        : _places[0].Key;

    // Whose result most of them block on there, as " on async method Prices.FetchAsync"; empty where no task of a method is known.
    private string Awaited => _places[0]
        .SelectMany(worker => context.Graph.From(WaitNode.Of(worker.Thread.OsId)))
        .Select(edge => edge.To.Task is { } task && context.FindTask(task) is { Method: not null } facts ? TaskText.Name(facts) : null)
        .OfType<string>()
        .GroupBy(name => name, StringComparer.Ordinal)
        .OrderByDescending(group => group.Count())
        .ThenBy(group => group.Key, StringComparer.Ordinal)
        .Select(group => $" on {group.Key}")
        .FirstOrDefault(string.Empty);

    private string HowMany => _places[0].Count() == blocked.Length ? string.Empty : $", {_places[0].Count()} of them";

    private string Where => $"{MainPlace}{Awaited}, and {Count.Waiting(Queued, "work item")} for a worker";

    private string Doubt => Since.HasFlag(Sign.NothingTaken) ? "they do not move" : "whether it is stuck or slow is unknown";

    private Claim TitleOfMoving
        => $"All {blocked.Length} workers of the thread pool are blocked{HowMany} in {
            Where}; they complete items: it is slow and not stuck";

    private Sign Since
        => progress.Moves ? Sign.WorkersMove
            : (progress.MostlyStands ? Sign.WorkersStand : Sign.None)
            | (progress.StandsStill && !blocked.Any(outlook.CanBeEndedFromOutside) ? Sign.NothingTaken : Sign.None);

    private int Queued => (int)Math.Min(int.MaxValue, pool.Queued.Value.Total());

    /// <summary>The pool has as many workers as it may have.</summary>
    public static bool IsFull(PoolFacts pool) => pool.Workers.Value.Existing >= pool.Workers.Value.Most;

    public static bool HasLoggedIt(PoolFacts pool) => pool.StarvationEntries.Is(count => count > 0);

    /// <summary>Most workers wait for tasks.</summary>
    public Observation Describe()
    {
        WaitNode[] held = [.. blocked.SelectMany(worker => context.Graph.ThreadsBehind(WaitNode.Of(worker.Thread.OsId)))];
        return new Observation
        {
            Rule = rule,
            Pattern = Pattern.PoolStarved,
            Links = LinkTrust.Concluded,
            Signs = (IsFull(pool) ? Sign.PoolIsFull : Sign.None) | (HasLoggedIt(pool) ? Sign.PoolLoggedIt : Sign.None) | Since,
            Title = progress.Moves
                ? TitleOfMoving
                : $"The thread pool is starved: all {blocked.Length} workers are blocked{HowMany} in {Where}",
            Culprit = Party.OfPool("the thread pool") with { Role = $"its workers wait for tasks in {MainPlace}{Awaited} (sync over async)" },
            Victims = [.. blocked.Select(worker => Parties.OfThread(context, worker.Thread.OsId)).Concat(Waiters.PartiesOf(context, held.Distinct())).DistinctBy(party => party.Thread)],
            Evidence = [.. EvidenceOfPool(), .. _places.Select(EvidenceFor), .. new[] { progress.Describe() }.OfType<Evidence>()],
            Gaps = [.. new[] { pool.StarvationEntries.Gap }.OfType<Gap>()],
            Advice = [$"Do not block on tasks in {MainPlace}: await them, and make the callers asynchronous.", MoreWorkers],
            Signature = Signature.Of(rule, OwnStack(_places[0].First().Thread.Stack.Frames)),
        };
    }

    /// <summary>The tasks that workers wait for were followed to what is queued behind them.</summary>
    public Observation ThroughTasks()
    {
        Observation starved = Describe();
        int queued = blocked.Count(outlook.WaitsForQueue);
        string wait = queued == 1 ? "waits" : "wait";
        return starved with
        {
            Signs = starved.Signs | Sign.LeadsToQueue,
            Evidence =
            [
                .. starved.Evidence,
                new Evidence(
                    $"{Count.Of(queued, "worker")} of {blocked.Length} {wait} for what only a queued item can bring",
                    "tasks and queues", Trust.Derived),
            ],
        };
    }

    /// <summary>A worker waits, through a lock, for what is queued behind the workers.</summary>
    public Observation ThroughOthers(ThreadAssessment worker)
    {
        Observation starved = Describe();
        int queued = blocked.Count(outlook.WaitsForQueue);
        string wait = queued == 1 ? "waits" : "wait";
        return starved with
        {
            Signs = starved.Signs | Sign.LeadsToQueue,
            Chain = [.. context.Graph.ChainFrom(WaitNode.Of(worker.Thread.OsId)).Select(edge => Parties.Link(context, edge))],
            Culprit = starved.Culprit! with { Role = $"its workers wait in {MainPlace} for what needs a worker" },
            Advice = ["Let no thread wait for the pool while it holds what the pool's workers wait for.", MoreWorkers],
        };
    }

    /// <summary>The workers wait for signals that queued items give: others may give them as well.</summary>
    public Observation ThroughSignals()
    {
        Observation starved = Describe();
        QueuedEnd[] ends = [.. blocked.SelectMany(worker => outlook.EndsOf(worker.Thread.OsId)).OrderByDescending(end => end.Count)];
        int waiting = blocked.Count(worker => outlook.EndsOf(worker.Thread.OsId).Any());
        string method = MethodText.Short(ends[0].Method);
        return starved with
        {
            Signs = Sign.LeadsToQueue | Since,
            Culprit = starved.Culprit! with { Role = $"its workers wait in {MainPlace} for what {method} gives, which needs a worker" },
            Evidence =
            [
                .. starved.Evidence,
                new Evidence(
                    $"{Count.Of(waiting, "worker")} of {blocked.Length} wait for what queued items of {method} end, by their code",
                    "thread pool queues and instructions", Trust.Derived),
            ],
            Advice =
            [
                $"Do not wait in {MainPlace} on a worker for what {method} gives on another: await it.",
                MoreWorkers,
            ],
        };
    }

    /// <summary>The pool can have no more workers, and only work of its own can end their waits.</summary>
    public Observation ThroughPool()
    {
        Observation starved = Describe();
        return starved with
        {
            Signs = Sign.LeadsToQueue | Since,
            Culprit = starved.Culprit! with { Role = $"its workers wait in {MainPlace} for what needs a worker" },
            Evidence = [.. starved.Evidence, new Evidence("what can end their waits is queued work, or the callback of a timer, which is queued, too", "search of the heap", Trust.Derived)],
            Advice = [$"Do not wait in {MainPlace} without a timeout on the pool's own workers: what gives them what they wait for runs on the pool, too.", MoreWorkers],
        };
    }

    /// <summary>Nothing tells whether the workers wait for what is queued.</summary>
    public Observation WithoutOutlook()
    {
        Observation starved = Describe();
        return starved with
        {
            Pattern = Pattern.PoolBlocked,
            Title = progress.Moves ? TitleOfMoving
                : $"All {blocked.Length} workers of the thread pool are blocked{HowMany} in {Where}; {Doubt}",
            Culprit = starved.Culprit! with { Role = $"its workers wait in {MainPlace}" },
            Advice = [$"Find out who ends the waits in {MainPlace}: if that is work for the pool, no worker is left to do it."],
        };
    }

    private IEnumerable<Evidence> EvidenceOfPool()
    {
        PoolWorkers workers = pool.Workers.Value;
        PoolQueues queues = pool.Queued.Value;
        yield return new Evidence(
            $"{workers.Processing} of {workers.Existing} workers have an item, the pool wants {workers.Goal} at work (from {workers.Least} to {workers.Most} are allowed)",
            "thread pool",
            pool.Workers.Trust);
        yield return new Evidence(
            $"{Count.Of(Queued, "work item")} queued: {queues.Common} common, {queues.HighPriority} of high priority, {queues.LowPriority} of low, {queues.Local} local",
            "thread pool queues",
            pool.Queued.Trust);
        if (pool.Items is { Count: > 0 } items)
        {
            string more = items.Count > MostKinds ? $", and {items.Count - MostKinds} more kinds" : string.Empty;
            yield return new Evidence(
                $"queued: {string.Join(", ", items.Take(MostKinds).Select(NameOf))}{more}", "thread pool queues", pool.Queued.Trust);
        }

        if (HasLoggedIt(pool))
        {
            yield return new Evidence(
                $"the pool added workers {pool.StarvationEntries.Value} times because nothing was taken from its queues", "log of the thread pool", pool.StarvationEntries.Trust);
        }
    }

    private static string NameOf(PoolItems items)
        => $"{items.Count} x {(PoolItemTypes.Brings(items.Type) switch
        {
            TaskNeedKind.Timer => "timers that are due",
            TaskNeedKind.Io => "answers of the system",
            _ => MethodText.Short(items.Method ?? items.Type),
        })}";

    private Evidence EvidenceFor(IGrouping<string, ThreadAssessment> place)
    {
        ThreadAssessment first = place.First();
        int tasks = place.Count(outlook.WaitsForTask);
        Claim who = place.Count() == 1 ? $"{Parties.Label(context, first.Thread.OsId)} is" : (Claim)$"{place.Count()} workers are";
        Claim until = tasks > 0 ? $", {tasks} of them until a task completes" : Claim.Empty;
        return new Evidence($"{who} blocked in {place.Key}{until}", "stacks", first.Trust)
        {
            Thread = first.Thread.OsId,
            Frame = UserCode.In(first.Thread) is { } frame ? Claim.Of(frame) : null,
        };
    }

    // Above the program's own frames every such wait looks the same.
    private static IEnumerable<FrameFacts> OwnStack(IReadOnlyList<FrameFacts> frames)
        => frames.Any(UserCode.IsManaged) ? frames.SkipWhile(frame => !UserCode.IsManaged(frame)) : frames;

    private static string Place(ThreadAssessment worker)
        => UserCode.In(worker.Thread) is { } frame && !Frameworks.IsDynamic(frame.Method) ? FrameText.Of(frame)
            : worker.Thread.Stack.Frames.FirstOrDefault(IsOfLibrary) is { } library ? FrameText.Of(library)
            : worker.Thread.Stack.Frames.Any(frame => DotNetTypes.IsParallelLoop(frame.Method)) ? "the body of a parallel loop"
            : worker.Frame is { } wait ? FrameText.Of(wait)
            : "a wait";

    // How .NET waits says nothing of what for.
    private static bool IsOfLibrary(FrameFacts frame)
        => frame is { Kind: FrameKind.Managed, Method: { } method } && !DotNetTypes.IsThreading(method)
            && !method.StartsWith("System.Runtime.", StringComparison.Ordinal) && !method.StartsWith("Interop", StringComparison.Ordinal)
            && !Frameworks.IsDynamic(method);
}
