using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Pool;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>Reads which threads are blocked on tasks, what those tasks need, and which threads run what is posted to a context.</summary>
internal sealed class TasksReader
{
    private const int MostPasses = 16;

    private readonly ClrRuntime _runtime;
    private readonly CaptureContext _context;
    private readonly List<Gap> _gaps;
    private readonly RuntimeRoots _roots;
    private readonly ContextThreads _contexts;

    private readonly TaskStarts _starts;

    private TasksReader(ClrRuntime runtime, RuntimeRoots roots, TaskStarts starts, CaptureContext context, List<Gap> gaps)
    {
        _runtime = runtime;
        _starts = starts;
        _context = context;
        _gaps = gaps;
        _roots = roots;
        _contexts = new ContextThreads(_roots.Stacks, _roots.Handles);
    }

    /// <param name="runtime">The runtime.</param>
    /// <param name="roots">Its stacks and handles.</param>
    /// <param name="facts">What has been read of it so far; a recorded wait on a monitor that a task's wait is made of is taken out.</param>
    /// <param name="starts">Where to begin, besides what threads block on.</param>
    /// <param name="missing">Why objects cannot be read; null where they can.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    /// <param name="gaps">Gains what could not be seen.</param>
    public static ManagedFacts Add(
        ClrRuntime runtime,
        Lazy<RuntimeRoots> roots,
        ManagedFacts facts,
        TaskStarts starts,
        string? missing,
        CaptureContext context,
        List<Gap> gaps)
    {
        const string what = "tasks";
        if (missing is not null)
        {
            return facts with
            {
                Tasks = Known.Unknown<TaskGraphFacts>(what, missing),
                UiThreads = Known.Unknown<IReadOnlyList<UiThreadFacts>>("user-interface threads", missing),
            };
        }

        context.Progress?.Report(what);
        try
        {
            return new TasksReader(runtime, roots.Value, starts, context, gaps).Read(facts);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
        {
            Gap failed = Attempt.Failed(what, e);
            return facts with { Tasks = Known<TaskGraphFacts>.Unknown(failed), UiThreads = Known<IReadOnlyList<UiThreadFacts>>.Unknown(failed) };
        }
    }

    private ManagedFacts Read(ManagedFacts facts)
    {
        TaskWait[] waits = [.. Waits()];
        HashSet<(ThreadId, ulong)> inside =
            [.. waits.Where(wait => wait.Monitor is not null).Select(wait => (Id(wait), wait.Monitor!.Value)), .. Ended()];
        ILookup<ThreadId, WaitFacts> recorded = (facts.Waits.TryGet(out IReadOnlyList<WaitFacts>? all) ? all : [])
            .Where(IsInside)
            .ToLookup(wait => wait.Thread);
        return facts with
        {
            Waits = facts.Waits.Select<IReadOnlyList<WaitFacts>>(list => [.. list.Where(wait => !IsInside(wait))]),
            Woken = Woken(facts.Woken ?? []),
            UiThreads = Known.Derived(_contexts.Facts()),
            Tasks = Known.Derived(new TaskGraphFacts
            {
                Waits = [.. waits.Select(wait => Facts(wait, recorded[Id(wait)].FirstOrDefault()))],
                Tasks = Graph(waits),
            }),
        };

        bool IsInside(WaitFacts wait) => wait.Kind == WaitKind.Pulse && inside.Contains((wait.Thread, wait.Lock.Address.Value));
    }

    private ThreadId[]? Woken(IReadOnlyList<ThreadId> pulsed)
    {
        ThreadId[] woken = [.. pulsed.Union(_roots.Stacks.Where(IsWoken).Select(stack => new ThreadId(stack.Thread.OSThreadId)))];
        return woken.Length > 0 ? woken : null;
    }

    private bool IsWoken(ThreadStack stack)
        => Attempt.Find("whether a wait for tasks has ended", () => (bool[])[TaskWait.HasEnded(stack, _context)]) is [true];

    // Whose event is set has its task's result and is about to continue: the runtime still records the wait on the event's inner object,
    // which nobody will pulse again.
    private IEnumerable<(ThreadId, ulong)> Ended()
        => from stack in _roots.Stacks
           from root in stack.Frames.SelectMany(stack.RootsOf)
           where TaskBlocker.IsSet(root)
           let monitor = new TaskBlocker(root).Monitor
           where monitor is not null
           select (new ThreadId(stack.Thread.OSThreadId), monitor.Value);

    // A thread whose stack does not hold its tasks is looked up from the event that it sleeps on, all such threads at once.
    private IEnumerable<TaskWait> Waits()
    {
        List<(ThreadStack Stack, TaskBlocker Blocker, IReadOnlyList<ClrObject> Told)> asleep = [];
        List<Known<TaskWait>> waits = [];
        foreach (ThreadStack stack in _roots.Stacks)
        {
            _context.Step();
            Guard(stack, () =>
            {
                if (TaskBlocker.Of(stack) is { } blocker)
                {
                    asleep.Add((stack, blocker, TaskWait.OnStack(stack, blocker, _context)));
                    return null;
                }

                return TaskWait.ByFrames(stack, _context);
            });
        }

        ClrObject[] open = [.. asleep.Where(IsOpen).Select(wait => wait.Blocker.Event)];
        ILookup<ulong, ClrObject>? found = open.Length == 0 ? null : new BlockedTasks(_runtime, _roots, _context).Of(open);
        foreach ((ThreadStack Stack, TaskBlocker Blocker, IReadOnlyList<ClrObject> Told) wait in asleep)
        {
            Guard(wait.Stack, () => TaskWait.Of(
                wait.Stack, wait.Blocker, IsOpen(wait)
                    ? [.. wait.Told.Concat(found![wait.Blocker.Event.Address]).DistinctBy(task => task.Address)]
                    : wait.Told));
        }

        _gaps.AddRange(waits.Select(wait => wait.Gap).OfType<Gap>());
        return waits.Where(wait => wait.HasValue).Select(wait => wait.Value);

        void Guard(ThreadStack stack, Func<Known<TaskWait>?> read)
        {
            try
            {
                if (read() is { } wait)
                {
                    waits.Add(wait);
                }
            }
            catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException))
            {
                Gap gap = Attempt.Failed($"task that thread 0x{stack.Thread.OSThreadId:x} waits for", e) with { IsLoss = true };
                waits.Add(Known<TaskWait>.Unknown(gap));
            }
        }

        static bool IsOpen((ThreadStack Stack, TaskBlocker Blocker, IReadOnlyList<ClrObject> Told) wait)
            => wait.Told.Count < (wait.Blocker.IsOfSeveral ? wait.Blocker.Left ?? 1 : 1);
    }

    private IReadOnlyList<TaskFacts> Graph(TaskWait[] waits)
    {
        if (waits.Length == 0 && _starts.IsEmpty)
        {
            return [];
        }

        TaskGraph graph = new(_contexts, _context);
        foreach (ClrObject task in waits.SelectMany(wait => wait.Tasks))
        {
            graph.Wait(task);
        }

        foreach (ClrObject box in _starts.Holders.Select(box => _runtime.Heap.GetObject(box)).Where(TaskObject.IsTask))
        {
            graph.Wait(box);
        }

        foreach (ulong box in _starts.InCircles)
        {
            graph.WaitInCircle(_runtime.Heap.GetObject(box));
        }

        if (graph.Reachable().Any(task => !task.IsResolved))
        {
            Completers(graph);
        }

        ReferrerSearch search = new(_runtime, graph, _roots, waits, _context);
        HashSet<ulong> searched = [];
        IReadOnlyList<TaskNode> reachable = graph.Reachable();
        for (int pass = 0; pass < MostPasses; pass++)
        {
            TaskNode[] open = [.. reachable.Where(task => !task.IsResolved && searched.Add(task.Object.Address))];
            if (open.Length == 0)
            {
                break;
            }

            search.Explain(open);
            reachable = graph.Reachable();
        }

        AddGaps(graph);
        return [.. reachable.Select(task => task.Facts(_context.Limits.NameLength))];
    }

    private void AddGaps(TaskGraph graph)
    {
        if (graph.IsCut)
        {
            _gaps.Add(new Gap("tasks", $"the waits lead to more than the limit of {_context.Limits.Tasks}; the rest is left out") { IsLoss = true });
        }

        if (graph.Damaged.Gap is { } damaged)
        {
            _gaps.Add(damaged);
        }
    }

    /// <summary>Up from everything that is known to complete tasks.</summary>
    private void Completers(TaskGraph graph)
    {
        foreach (ThreadStack stack in _roots.Stacks)
        {
            foreach (ClrObject task in graph.Damaged.Items(stack.Thread.Address, RunningTasks.On(stack)))
            {
                graph.Complete(task, new TaskNeedFacts
                {
                    Kind = TaskNeedKind.Thread,
                    Thread = new ThreadId(stack.Thread.OSThreadId),
                    Trust = Trust.Derived,
                    Source = "stack root of the frame that runs it",
                });
            }
        }

        ClrObject[] queued = [.. graph.Damaged.Items(0, QueuedObjects.Items(_runtime, _context))];
        foreach (ClrObject task in queued.SelectMany(item => graph.Damaged.Items(item.Address, Continuation.From(item, default, 4, graph.Damaged.Note))).Select(item => item.Target))
        {
            graph.Complete(task, new TaskNeedFacts { Kind = TaskNeedKind.PoolQueue, Queued = queued.Length, Trust = Trust.Read, Source = "queue of the thread pool" });
        }

        foreach (ClrObject promise in queued.Length == 0 ? [] : QueuedEnds.Promises(_runtime, _context))
        {
            graph.Complete(promise, new TaskNeedFacts
            {
                Kind = TaskNeedKind.PoolQueue,
                Queued = queued.Length,
                Trust = Trust.Derived,
                Source = "item in the queue of the thread pool",
            });
        }

        foreach (ClrObject timer in graph.Damaged.Items(0, PendingTimers.Of(_runtime, _context)))
        {
            if (timer.Reference("_state") is { IsNull: false } task && TaskObject.IsTask(task) && !TaskObject.IsCompleted(task))
            {
                graph.Complete(task, PendingTimers.Need(timer));
            }
        }

        foreach (ClrObject current in _contexts.Current)
        {
            foreach (ClrObject task in graph.Damaged.Items(current.Address, ContextQueue.Posted(current, _context)))
            {
                graph.Complete(task, graph.NeedOf(current, isPosted: true, "queue of the context"));
            }
        }

        graph.Schedule();
    }

    private static TaskWaitFacts Facts(TaskWait wait, WaitFacts? recorded) => new()
    {
        Thread = Id(wait),
        Tasks = [.. wait.Tasks.Select(task => new Address(task.Address))],
        Timeout = recorded is { Timeout.HasValue: true } ? recorded.Timeout
            : wait.IsEndless ? Known.Derived(Timeout.InfiniteTimeSpan)
            : Known.Unknown<TimeSpan>("timeout", "this version of .NET does not record it"),
        Trust = wait.IsProven ? Trust.Read : Trust.Derived,
        Source = wait.Method,
    };

    private static ThreadId Id(TaskWait wait) => new(wait.Stack.Thread.OSThreadId);
}
