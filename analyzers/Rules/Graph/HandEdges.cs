using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>
/// The edges of circles through semaphores of one entry: each gives back behind his own wait what the one before waits for, and waits for
/// what the next gives back. A thread has a lock and asks a cache, whose entry is filled by an async method that waits for the lock.
/// Outside a circle such a link says who is to end a wait, not that he does not; nor does it of a promise, which others may keep as well.
/// </summary>
internal sealed class HandEdges
{
    private const int MostSteps = 32;
    private const string Behind = "code behind the holder's own wait gives it back";

    private readonly ILookup<ThreadId, WaitFacts> _waits;
    private readonly ILookup<ThreadId, TaskWaitFacts> _taskWaits;
    private readonly Dictionary<Address, LockFacts> _semaphores;
    private readonly IReadOnlyList<FlowGroup> _groups;
    private readonly Dictionary<Address, FlowGroup> _flows = [];
    private readonly Dictionary<Address, Address> _awaits = [];

    private HandEdges(ManagedFacts managed, FlowsFacts flows)
    {
        _waits = All(managed.Waits).ToLookup(wait => wait.Thread);
        _taskWaits = (managed.Tasks.TryGet(out TaskGraphFacts? tasks) ? tasks.Waits : []).ToLookup(wait => wait.Thread);
        _semaphores = All(managed.Locks).Where(found => found.Id.Kind == LockKind.SemaphoreSlim)
            .DistinctBy(found => found.Id.Address).ToDictionary(found => found.Id.Address);
        _groups = flows.Groups;
        foreach (FlowGroup group in _groups)
        {
            _flows[group.Sample] = group;
            foreach (FlowMember member in group.Members ?? [])
            {
                _flows[member.Flow] = group;
                _awaits[member.Flow] = member.Awaits ?? group.Waits.Address ?? member.Flow;
            }
        }
    }

    public static IEnumerable<WaitEdge> Of(ProcessSnapshot snapshot)
        => snapshot.Managed is { } section && section.TryGet(out ManagedFacts? managed)
            && managed.Flows is { } known && known.TryGet(out FlowsFacts? flows)
            ? new HandEdges(managed, flows).Circles()
            : [];

    private static IReadOnlyList<T> All<T>(Known<IReadOnlyList<T>> known) => known.TryGet(out IReadOnlyList<T>? all) ? all : [];

    private IEnumerable<WaitEdge> Circles()
    {
        HashSet<WaitNode> seen = [];
        WaitNode[] waiters =
        [
            .. _waits.Select(waits => WaitNode.Of(waits.Key)), .. _taskWaits.Select(waits => WaitNode.Of(waits.Key)),
            .. _groups.Where(group => group.Waits.Reach?.Bearer is not null)
                .Select(group => WaitNode.OfTask(group.Sample)),
        ];
        return waiters.SelectMany(waiter => CircleBehind(waiter, seen));
    }

    // Each waits for one thing, and that is in one hand: the way on ends, or comes back to itself.
    private IEnumerable<WaitEdge> CircleBehind(WaitNode start, HashSet<WaitNode> seen)
    {
        List<WaitNode> way = [];
        List<WaitEdge[]> steps = [];
        for (WaitNode at = start; seen.Add(at) && way.Count < MostSteps && Step(at) is [.., var last] step; at = last.To)
        {
            way.Add(at);
            steps.Add(step);
            if (way.IndexOf(last.To) is >= 0 and var first)
            {
                return steps.Skip(first).SelectMany(edges => edges);
            }
        }

        return [];
    }

    private WaitEdge[]? Step(WaitNode at)
        => at.Thread is { } thread ? OfThread(at, thread)
            : at.Task is { } task && _flows.TryGetValue(task, out FlowGroup? group) ? OfFlow(at, task, group)
            : null;

    private WaitEdge[]? OfThread(WaitNode at, ThreadId thread)
        => (_waits[thread].ToArray(), _taskWaits[thread].ToArray()) switch
        {
            ([{ Lock.Kind: LockKind.SemaphoreSlim, Mode: null } wait], []) when !wait.Timeout.Is(WaitLimit.EndsBeforeOwner)
                && _semaphores.GetValueOrDefault(wait.Lock.Address) is { } semaphore && IsTaken(semaphore.Entries)
                => At(at, semaphore.Id, OnlyHolderOf(semaphore) ?? HolderOf(wait.Reach?.Bearer)),
            (_, [{ Tasks: [var task] } wait]) when !wait.Timeout.Is(WaitLimit.EndsBeforeOwner)
                => [Edge(at, WaitNode.OfTask(task), wait.Trust)],
            _ => null,
        };

    private WaitEdge[]? OfFlow(WaitNode at, Address task, FlowGroup group) => group.Waits switch
    {
        { Address: null } => null,
        { Kind: FlowWaitKind.AsyncMethod, Address: { } next } => [Edge(at, WaitNode.OfTask(_awaits.GetValueOrDefault(task, next)))],
        { Kind: FlowWaitKind.Semaphore, Entries: { Left: 0, Most: 1 }, Address: { } semaphore } wait when !wait.IsLimited()
            => At(at, new LockId(LockKind.SemaphoreSlim, semaphore), HolderOf(wait)),
        _ => null,
    };

    private static bool IsTaken(Known<SemaphoreEntries>? entries) => entries?.Is(known => known is { Left: 0, Most: 1 }) == true;

    private static WaitNode? OnlyHolderOf(LockFacts semaphore)
        => semaphore.Holders is [var only] ? WaitNode.Of(only.Thread, only.Flow) : null;

    private static WaitNode? HolderOf(FlowWait wait)
        => wait.HeldBy is not null || wait.Holder is not null ? WaitNode.Of(wait.HeldBy, wait.Holder?.End) : HolderOf(wait.Reach?.Bearer);

    private static WaitNode? HolderOf(ReachHolder? bearer) => WaitNode.Of(bearer?.Thread, bearer?.Flow);

    private WaitEdge[]? At(WaitNode waiter, LockId semaphore, WaitNode? holder)
        => holder is null || WaitsFor(holder, semaphore) ? null
            :
            [
                Edge(waiter, WaitNode.Of(semaphore)),
                new WaitEdge(WaitNode.Of(semaphore), holder, EdgeKind.HeldBy, Trust.Derived, Behind),
            ];

    // Who waits for it, too, gives it back behind that wait as well, and has not got it.
    private bool WaitsFor(WaitNode holder, LockId semaphore)
        => holder.Thread is { } thread ? _waits[thread].Any(wait => wait.Lock == semaphore)
            : holder.Task is { } flow && _flows.TryGetValue(flow, out FlowGroup? group) && group.Waits.Address == semaphore.Address;

    private static WaitEdge Edge(WaitNode from, WaitNode to, Trust trust = Trust.Derived)
        => new(from, to, EdgeKind.WaitsFor, trust, "what it waits for");
}
