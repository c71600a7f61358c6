using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Follows everything that a task needs, and what those need, to the ends.</summary>
internal sealed class FateFinder(RuleContext context)
{
    // Far deeper than any program's tasks; facts can come from a hostile file.
    private const int Deepest = 256;

    private readonly Dictionary<WaitNode, Fate> _known = [];
    private readonly HashSet<WaitNode> _path = [];

    public Fate Of(WaitNode node)
    {
        if (_known.TryGetValue(node, out Fate known))
        {
            return known;
        }

        if (_path.Count >= Deepest || !_path.Add(node))
        {
            return Fate.Unknown;
        }

        Fate fate = node switch
        {
            { Task: { } task } => context.FindTask(task) is { } facts ? OfTask(facts) : Fate.Unknown,
            { Thread: { } thread } => OfThread(thread),
            _ => OfEdges(context.Graph.From(node)),
        };
        _path.Remove(node);
        _known[node] = fate;
        return fate;
    }

    /// <summary>What ends the chains that lead on from a task: needs that are no task and no thread, or threads that wait for nothing.</summary>
    public IReadOnlyList<(TaskFacts Task, TaskNeedFacts Need)> Ends(Address start, int most)
    {
        List<(TaskFacts, TaskNeedFacts)> ends = [];
        HashSet<Address> seen = [start];
        Queue<Address> open = new([start]);
        while (open.TryDequeue(out Address address) && ends.Count < most)
        {
            foreach (TaskNeedFacts need in context.FindTask(address) is { } task ? task.Needs : [])
            {
                if (need is { Kind: TaskNeedKind.Task, Task: { } next })
                {
                    if (seen.Add(next))
                    {
                        open.Enqueue(next);
                    }
                }
                else if (ends.Count < most)
                {
                    ends.Add((context.FindTask(address)!, need));
                }
            }
        }

        return ends;
    }

    /// <summary>
    /// A promise that nobody is left to keep: whoever leads to it, without those that wait for it, waits for the end of threads that wait for it.
    /// One that something else ends, too, as a token, is not left to them.
    /// </summary>
    public bool IsLeftToItsWaiters(TaskFacts task)
        => task is { NeedsAny: false, Reach: { By: null, Holders: var holders } reach }
            && (reach.Givers is { Count: > 0 } || (!reach.IsInStatic && holders.Count > 0))
            && WaitNode.OfTask(task.Address) is var node
            && context.Graph.ThreadsBehind(node) is var behind
            && context.Graph.TasksThatNeed(node) is var needing
            && holders.All(holder => holder.Thread is { } thread
                && context.Graph.From(WaitNode.Of(thread)) is { Count: > 0 } edges
                && edges.All(edge => !edge.EndsByItself
                    && (needing.Contains(edge.To) || (edge.Kind == EdgeKind.WaitsForEnd && behind.Contains(edge.To)))));

    private Fate OfTask(TaskFacts task)
    {
        if (task.State.Is(state => state is TaskState.RanToCompletion or TaskState.Faulted or TaskState.Canceled))
        {
            return Fate.Progresses;
        }

        if (IsLeftToItsWaiters(task))
        {
            return Fate.Never;
        }

        Fate[] fates = [.. task.Needs.Select(OfNeed)];
        Fate fate = fates.Length == 0 ? Fate.Unknown : task.NeedsAny ? fates.Min() : fates.Max();
        return fate == Fate.Unknown && IsGiven(task.Address) ? Fate.Progresses : fate;
    }

    // It is an async method's, and somebody surely ends the wait of that.
    private bool IsGiven(Address flow)
        => context.Flows.Of(flow) is { State: FlowState.Suspended, Waits: var wait }
            && (wait.IsLimited() || Workers.CanEnd(context, wait.Reach));

    private Fate OfNeed(TaskNeedFacts need) => need switch
    {
        { Kind: TaskNeedKind.Task, Task: { } task } => Of(WaitNode.OfTask(task)),
        { Kind: TaskNeedKind.Thread or TaskNeedKind.Context, Thread: { } thread } => Of(WaitNode.Of(thread)),
        { Kind: TaskNeedKind.Timer, SetFor: not null } or { Kind: TaskNeedKind.PoolQueue or TaskNeedKind.Io } => Fate.Progresses,
        { Kind: TaskNeedKind.Nobody } => Fate.Never,
        _ => Fate.Unknown,
    };

    private Fate OfThread(ThreadId thread)
    {
        IReadOnlyList<WaitEdge> edges = context.Graph.From(WaitNode.Of(thread));
        if (edges.Count > 0)
        {
            return OfEdges(edges);
        }

        return context.Find(thread) switch
        {
            _ when context.FindPoll(thread) is { } poll && poll.EndsByConditionAlone() && !poll.IsMeantToLast() && poll.Bringers is not null => Fate.Unknown,
            { IsWoken: true } => Fate.Progresses,
            { State: ThreadActivity.Sleeping } sleeper when Timeouts.InCallOf(sleeper.Thread) == false => Fate.Unknown,
            { State: ThreadActivity.Running or ThreadActivity.Yielding or ThreadActivity.Sleeping or ThreadActivity.WaitsForIo or ThreadActivity.WaitsForMessage } =>
                Fate.Progresses,
            { } assessment when TaskText.IsInItsLoop(context, assessment.Thread) => Fate.Progresses,
            _ => Fate.Unknown,
        };
    }

    private Fate OfEdges(IReadOnlyList<WaitEdge> edges)
    {
        if (edges.Any(edge => edge.EndsByItself))
        {
            return Fate.Progresses;
        }

        Fate[] fates = [.. edges.Select(edge => Of(edge.To))];
        return fates.Length == 0 ? Fate.Unknown : edges.Any(edge => edge.Alternatives > 1) ? fates.Min() : fates.Max();
    }
}
