using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Outside;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>What becomes of blocked pool workers.</summary>
internal sealed class PoolOutlook(RuleContext context)
{
    // Far deeper than any program's tasks; facts can come from a hostile file.
    private const int Deepest = 256;
    private const int MostEnds = 64;

    private readonly Dictionary<WaitNode, bool> _leads = [];
    private readonly HashSet<TaskNeedKind> _queued =
    [
        TaskNeedKind.PoolQueue,
        .. (context.Pool?.Items ?? []).Select(item => PoolItemTypes.Brings(item.Type)).OfType<TaskNeedKind>(),
    ];

    private readonly bool _isFull = context.Pool is { } full && StarvedPool.IsFull(full);
    private readonly bool _asksItself = context.Pool is { } pool && context.Flows.Server.IsOnlyPeer(pool);
    private readonly ILookup<LockId, QueuedEnd> _ends = (context.Pool?.Ends ?? []).ToLookup(end => end.Lock);

    /// <summary>It blocks until a task completes.</summary>
    public bool WaitsForTask(ThreadAssessment worker)
        => IsFollowed(worker) || PoolWorker.WaitsForTask(worker.Thread);

    /// <summary>
    /// It spins before it sleeps on something: what for is recorded, or its stack says that it is a task's end, or others of the workers
    /// sleep in the same method of the program. On a busy machine a quarter of all that start to wait can be caught so.
    /// </summary>
    /// <param name="worker">The worker.</param>
    /// <param name="asleep">The methods of the program in which other workers are blocked.</param>
    public bool SpinsBeforeWait(ThreadAssessment worker, IReadOnlySet<string> asleep)
        => worker.State is ThreadActivity.Yielding or ThreadActivity.Sleeping
            && (WaitsForTask(worker)
                || context.WaitsOf(worker.Thread.OsId).Count > 0
                || (worker.State == ThreadActivity.Yielding && PoolWorker.MethodOf(worker) is { } method && asleep.Contains(method)));

    /// <summary>It naps in a loop, at the same place and in the same work item as in an earlier sample: it takes no other item.</summary>
    public bool NapsInItem(ThreadAssessment worker)
        => worker.State == ThreadActivity.Sleeping && context.Timeline.Of(worker.Thread) is { Completed: 0, IsSamePlace: true };

    /// <summary>
    /// The task that the worker blocks on is known, and so is what was found to lead to it: where that is not the queue, the pool is not
    /// to blame.
    /// </summary>
    public bool IsFollowed(ThreadAssessment worker) => context.FindTaskWait(worker.Thread.OsId) is not null;

    /// <summary>
    /// The worker makes progress without the pool, as far as can be seen: its wait has an end, or leads to work outside. A spin before a
    /// wait that nothing records is none.
    /// </summary>
    public bool MakesProgress(ThreadAssessment worker)
        => (PoolWorker.IsBlocked(worker) || context.Graph.From(WaitNode.Of(worker.Thread.OsId)).Count > 0) && HasEnd(worker);

    /// <summary>
    /// What can end the worker's wait, of all that leads to it, is queued work or a timer, whose callback is queued, too: neither runs
    /// while no worker is left.
    /// </summary>
    public bool WaitsForPool(ThreadAssessment worker)
        => context.WaitsOf(worker.Thread.OsId) is { Count: > 0 } waits && waits.All(wait => wait.Reach is { By: FlowRoot.Timer or FlowRoot.PoolQueue });

    /// <summary>
    /// A thread outside the pool, a device or another process may end the worker's wait: it is seen to wait for such, or one of them
    /// leads to what it waits for.
    /// </summary>
    public bool CanBeEndedFromOutside(ThreadAssessment worker)
        => OutsideCall.In(worker.Thread.Stack.Frames) is not null
            || OutsideSystemCall.Of(context, worker.Thread) is not null
            || OutsideRequest.Of(context, worker) is not null
            || context.WaitsOf(worker.Thread.OsId).Any(wait => IsOutside(wait.Reach))
            || context.Graph.From(WaitNode.Of(worker.Thread.OsId)).Select(edge => edge.To.Task).OfType<Address>().Any(IsEndedFromOutside);

    private bool IsEndedFromOutside(Address task)
        => IsOutside(context.FindTask(task)?.Reach)
            || context.Fates.Ends(task, MostEnds).Any(end => IsOutside(end.Need));

    private bool IsOutside(TaskNeedFacts need)
        => (need.Kind is TaskNeedKind.Io or TaskNeedKind.Timer && !_queued.Contains(need.Kind)
                && !(need.Kind == TaskNeedKind.Io && _asksItself))
            || (need is { Kind: TaskNeedKind.Thread, Thread: { } id } && context.Find(id) is { } thread
                && !PoolWorker.IsAtWork(thread.Thread));

    private bool IsOutside(WaitReach? reach)
        => reach is { By: FlowRoot.InputOutput or FlowRoot.GcHandle or FlowRoot.Timer }
            || (reach is { By: FlowRoot.Thread, Thread: { } id } && context.Find(id) is { } thread && !PoolWorker.IsAtWork(thread.Thread));

    /// <summary>
    /// What the worker waits for waits, at its end, for an item of the pool's queues: for work, or for a timer or an operation of the
    /// system whose completion has to pass through an item that is queued.
    /// </summary>
    public bool WaitsForQueue(ThreadAssessment worker) => LeadsToQueue(WaitNode.Of(worker.Thread.OsId), []);

    /// <summary>The queued items that end what the thread waits for.</summary>
    public IEnumerable<QueuedEnd> EndsOf(ThreadId thread) => context.WaitsOf(thread).SelectMany(wait => _ends[wait.Lock]);

    // Of what any of several can end, all have to lead there.
    private bool LeadsToQueue(WaitNode node, HashSet<WaitNode> path)
    {
        if (_leads.TryGetValue(node, out bool known))
        {
            return known;
        }

        if (path.Count >= Deepest || !path.Add(node))
        {
            return false;
        }

        WaitEdge[] edges = [.. context.Graph.From(node).Where(edge => !edge.EndsByItself)];
        bool leads = (node.Thread is { } thread && EndsOf(thread).Any())
            || (node.Task is { } task && context.FindTask(task) is { } facts
                && (IsQueued(facts) || IsAnsweredByPool(facts) || IsBehindHolder(facts, path) || IsReachedThroughQueue(facts)))
            || edges.Any(edge => edge.Alternatives == 1 && LeadsToQueue(edge.To, path))
            || (Array.FindAll(edges, edge => edge.Alternatives > 1) is { Length: > 1 } any
            && Array.TrueForAll(any, edge => any.Length >= edge.Alternatives && LeadsToQueue(edge.To, path)));
        path.Remove(node);
        _leads[node] = leads;
        return leads;
    }

    // It waits for an entry of a semaphore, and one of the same method that has entered waits for what is queued.
    private bool IsBehindHolder(TaskFacts task, HashSet<WaitNode> path)
        => task.Method is { } method
            && context.Flows.Groups
                .Where(group => group.Method == method && group.Waits is { Kind: FlowWaitKind.Semaphore, Entries.Left: 0 })
                .SelectMany(context.Flows.HoldersOf)
                .Any(holder => holder.Waits.Address is { } awaited && LeadsToQueue(WaitNode.OfTask(awaited), path));

    // A client asks the process itself: of its connections, too, each is to the process.
    private bool IsAnsweredByPool(TaskFacts task) => _asksItself && task.Method is { } method && OutsideCall.IsOfClient(method);

    // A promise of a library's make: what was found to lead to it is queued, or comes to the process through an item that is. A pool that
    // can have no more workers takes none of these.
    private bool IsReachedThroughQueue(TaskFacts task)
        => _isFull
            && task.Needs.Any(need => need.Kind == TaskNeedKind.Unknown)
            && (task.Reach is { By: FlowRoot.PoolQueue }
                || (task.Reach is { By: FlowRoot.InputOutput } && _queued.Contains(TaskNeedKind.Io)));

    private bool IsQueued(TaskFacts task)
        => task.NeedsAny
            ? task.Needs.Count > 0 && task.Needs.All(need => _queued.Contains(need.Kind))
            : task.Needs.Any(need => _queued.Contains(need.Kind));

    private bool HasEnd(ThreadAssessment worker)
        => Timeouts.InCallOf(worker.Thread) == true || context.Fates.Of(WaitNode.Of(worker.Thread.OsId)) == Fate.Progresses;
}
