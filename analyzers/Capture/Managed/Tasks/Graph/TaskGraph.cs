using HangTriage.Capture.Managed.Contexts;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>
/// Which task needs what. Up: a completer's continuations lead to the tasks that it completes, which alone finds the inner
/// task of Task.Run. Down is <see cref="TaskExpansion"/>'s.
/// </summary>
internal sealed class TaskGraph(ContextThreads contexts, CaptureContext context)
{
    /// <summary>The source of what a continuation tells.</summary>
    public const string Continues = "continuation of the task";

    private readonly Dictionary<ulong, TaskNode> _nodes = [];
    private readonly List<ulong> _waited = [];

    public TaskNode Node(ClrObject task)
    {
        if (!_nodes.TryGetValue(task.Address, out TaskNode? node))
        {
            node = new TaskNode(task);
            _nodes.Add(task.Address, node);
        }

        return node;
    }

    public void Wait(ClrObject task)
    {
        _waited.Add(task.Address);
        Node(task);
    }

    /// <summary>Says what completes the task, and follows its continuations up to all tasks that complete behind it.</summary>
    public void Complete(ClrObject task, TaskNeedFacts need)
    {
        Node(task).Add(need);
        Stack<ClrObject> open = new([task]);
        HashSet<ulong> seen = [task.Address];
        while (open.TryPop(out ClrObject completer) && _nodes.Count < context.Limits.Tasks)
        {
            context.Step();
            foreach (Continuation next in Continuation.Of(completer))
            {
                Link(next, completer);
                if (seen.Add(next.Target.Address))
                {
                    open.Push(next.Target);
                }
            }
        }
    }

    /// <summary>
    /// Says of each task that is queued with a scheduler of the program's which thread runs that scheduler's tasks, where it is
    /// one alone. To be called when all that runs is known.
    /// </summary>
    public void Schedule()
    {
        ILookup<ulong, ThreadId> runners = _nodes.Values
            .SelectMany(node => node.Needs.Where(need => need.Kind == TaskNeedKind.Thread).Select(need => (Scheduler: Schedulers.Of(node.Object).Address, Thread: need.Thread!.Value)))
            .Where(pair => pair.Scheduler != 0)
            .ToLookup(pair => pair.Scheduler, pair => pair.Thread);
        foreach (TaskNode node in _nodes.Values.Where(node => node is { Kind: TaskKind.Delegate, IsResolved: false } && TaskObject.State(node.Object).Is(state => state == TaskState.WaitingToRun)))
        {
            ClrObject scheduler = Schedulers.Of(node.Object);
            if (!scheduler.IsNull && runners[scheduler.Address].Distinct().ToArray() is [var thread])
            {
                node.Add(new TaskNeedFacts
                {
                    Kind = TaskNeedKind.Context,
                    Thread = thread,
                    IsPosted = true,
                    Trust = Schedulers.RunsOneAtATime(scheduler) ? Trust.Derived : Trust.Assumed,
                    Source = $"scheduler of the task, of whose tasks one runs on this thread alone: {scheduler.Type?.Name}",
                });
            }
        }
    }

    /// <summary>Every task that a wait leads to, each with what is known of its needs.</summary>
    public IReadOnlyList<TaskNode> Reachable()
    {
        List<TaskNode> found = [];
        HashSet<ulong> seen = [];
        Queue<ulong> open = new(_waited.Where(seen.Add));
        while (open.TryDequeue(out ulong address) && found.Count < context.Limits.Tasks)
        {
            context.Step();
            TaskNode node = _nodes[address];
            new TaskExpansion(this, context).Expand(node);
            found.Add(node);
            foreach (TaskNeedFacts need in node.IsCompleted ? [] : node.Needs)
            {
                if (need.Task is { } task && seen.Add(task.Value))
                {
                    open.Enqueue(task.Value);
                }
            }
        }

        return found;
    }

    /// <summary>The addresses of all tasks that cannot complete before the given one does, and its own.</summary>
    public HashSet<ulong> Behind(TaskNode task)
    {
        ILookup<ulong, ulong> behind = _nodes.Values
            .SelectMany(node => node.Needs.Where(need => need.Task is not null).Select(need => (Needed: need.Task!.Value.Value, By: node.Object.Address)))
            .ToLookup(pair => pair.Needed, pair => pair.By);
        HashSet<ulong> found = [task.Object.Address];
        Queue<ulong> open = new(found);
        while (open.TryDequeue(out ulong address))
        {
            foreach (ulong next in behind[address].Where(found.Add))
            {
                open.Enqueue(next);
            }
        }

        return found;
    }

    public void Link(Continuation continuation, ClrObject completer)
    {
        TaskNode node = Node(continuation.Target);
        Node(completer);
        node.Add(TaskOf(completer, Continues));
        if (!continuation.Context.IsNull)
        {
            node.Add(NeedOf(continuation.Context, isPosted: false, Continues));
        }
    }

    public TaskNeedFacts NeedOf(ClrObject syncContext, bool isPosted, string source)
    {
        ContextThread? thread = contexts.Of(syncContext);
        return new TaskNeedFacts
        {
            Kind = TaskNeedKind.Context,
            Thread = thread is null ? null : new ThreadId(thread.Thread.OSThreadId),
            IsPosted = isPosted,
            Trust = thread?.Trust ?? Trust.Derived,
            Source = $"{source}: {syncContext.Type?.Name}",
        };
    }

    public static TaskNeedFacts TaskOf(ClrObject task, string source) => new()
    {
        Kind = TaskNeedKind.Task,
        Task = new Address(task.Address),
        Trust = Trust.Read,
        Source = source,
    };
}
