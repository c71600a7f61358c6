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
    private readonly HashSet<ulong> _followed = [];
    private SchedulerTurns? _turns;

    public Continuations Continuations { get; } = new();

    /// <summary>There are more tasks than the limit, and the rest is left out.</summary>
    public bool IsCut { get; private set; }

    /// <summary>Objects that could not be read, and were passed over.</summary>
    public DamagedObjects Damaged { get; } = new();

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
        Follow(task);
    }

    /// <summary>A task that is waited for, and that waits for itself: nothing completes it, and what it would is found from it.</summary>
    public void WaitInCircle(ClrObject task)
    {
        Wait(task);
        Follow(task);
    }

    private void Follow(ClrObject task)
    {
        Stack<ClrObject> open = new([task]);
        while (open.TryPop(out ClrObject completer))
        {
            context.Step();
            // What follows from it is known where another completer led here.
            if (!_followed.Add(completer.Address))
            {
                continue;
            }

            if (_nodes.Count >= context.Limits.Tasks)
            {
                IsCut = true;
                return;
            }

            Damaged.Guard(completer.Address, () =>
            {
                if (TaskObject.Parent(completer) is { IsNull: false } parent)
                {
                    Node(parent).Add(TaskOf(completer, "child that is attached to the task"));
                    open.Push(parent);
                }

                foreach (Continuation next in Continuation.Of(completer, Damaged.Note))
                {
                    Link(next, completer);
                    open.Push(next.Target);
                }
            });
        }
    }

    /// <summary>What the tasks that are queued to schedulers of the program's need. To be called when all that runs is known.</summary>
    public void Schedule()
    {
        _turns = new SchedulerTurns(
            _nodes.Values.SelectMany(node => node.Needs.Where(need => need.Kind == TaskNeedKind.Thread).Select(need => (node.Object, need.Thread!.Value))));
        foreach (TaskNode node in _nodes.Values.Where(node => !node.IsResolved && IsQueued(node.Object)))
        {
            IReadOnlyList<TaskNeedFacts> needs = _turns.NeedsOf(node.Object, out bool isAnyEnough);
            node.NeedsAny |= isAnyEnough && node.Needs.Count == 0;
            foreach (TaskNeedFacts need in needs)
            {
                node.Add(need);
            }
        }
    }

    /// <summary>What the scheduler of a queued task that runs the rest of an async method needs before it does so; nothing for any other object.</summary>
    public IReadOnlyList<TaskNeedFacts> NeedsToContinue(ClrObject task, ClrObject box)
        => _turns is not null && IsQueued(task) && Continuation.From(task.Reference("m_stateObject"), default, 4).Any(rest => rest.Target.Address == box.Address)
            && _turns.NeedsOf(task, out bool isAnyEnough) is var needs && !isAnyEnough
            ? needs
            : [];

    private static bool IsQueued(ClrObject task)
        => TaskObject.IsTask(task) && TaskObject.Kind(task) == TaskKind.Delegate && TaskObject.State(task).Is(state => state == TaskState.WaitingToRun);

    /// <summary>Every task that a wait leads to, each with what is known of its needs.</summary>
    public IReadOnlyList<TaskNode> Reachable()
    {
        List<TaskNode> found = [];
        HashSet<ulong> seen = [];
        Queue<ulong> open = new(_waited.Where(seen.Add));
        TaskExpansion expansion = new(this, context);
        while (open.TryDequeue(out ulong address))
        {
            context.Step();
            if (found.Count >= context.Limits.Tasks)
            {
                IsCut = true;
                break;
            }

            TaskNode node = _nodes[address];
            Damaged.Guard(address, () => expansion.Expand(node));
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

    /// <summary>Which tasks need which, as the graph is now.</summary>
    public TasksBehind Behind()
        => new(_nodes.Values
            .SelectMany(node => node.Needs.Where(need => need.Task is not null).Select(need => (Needed: need.Task!.Value.Value, By: node.Object.Address)))
            .ToLookup(pair => pair.Needed, pair => pair.By));

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
