using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <content>Tasks, the threads that run a synchronization context, and the pool.</content>
public sealed partial class SnapshotBuilder
{
    private readonly Dictionary<Address, TaskFacts> _tasks = [];
    private readonly List<TaskWaitFacts> _taskWaits = [];
    private readonly List<UiThreadFacts> _uiThreads = [];
    private PoolFacts? _pool;

    /// <summary>A task that has not completed; what it needs is said with <see cref="Needs"/>.</summary>
    public SnapshotBuilder Task(ulong address, TaskKind kind, string? method = null)
    {
        _hasManaged = true;
        _tasks[new Address(address)] = new TaskFacts
        {
            Address = new Address(address),
            Type = Known.Read("System.Threading.Tasks.Task"),
            Kind = kind,
            Method = method,
            State = Known.Read(TaskState.WaitingForActivation),
            Needs = [],
            NeedsAny = kind == TaskKind.WhenAny,
        };
        return this;
    }

    public SnapshotBuilder Needs(ulong task, TaskNeedKind kind, ulong? other = null, uint? thread = null, TimeSpan? timer = null, Trust trust = Trust.Read)
    {
        TaskFacts facts = _tasks[new Address(task)];
        TaskNeedFacts need = new()
        {
            Kind = kind,
            Task = other is { } address ? new Address(address) : null,
            Thread = thread is { } id ? new ThreadId(id) : null,
            IsPosted = kind == TaskNeedKind.Context,
            SetFor = timer,
            Trust = trust,
            Source = "continuation of the task",
        };
        _tasks[facts.Address] = facts with { Needs = [.. facts.Needs, need] };
        return this;
    }

    public SnapshotBuilder WaitsForTask(uint thread, ulong task, TimeSpan? timeout = null, Trust trust = Trust.Read)
    {
        _taskWaits.Add(new TaskWaitFacts
        {
            Thread = new ThreadId(thread),
            Tasks = [new Address(task)],
            Timeout = Known.Read(timeout ?? Timeout.InfiniteTimeSpan),
            Trust = trust,
            Source = "stack root of System.Threading.Tasks.Task.SpinThenBlockingWait",
        });
        return this;
    }

    /// <summary>Nothing records when the last wait for a task gives up.</summary>
    public SnapshotBuilder WithUnknownTaskTimeout()
    {
        _taskWaits[^1] = _taskWaits[^1] with { Timeout = Known.Unknown<TimeSpan>("timeout", "the stack does not show it") };
        return this;
    }

    public SnapshotBuilder UiThread(uint thread, string contextType, string loop, Trust trust = Trust.Read)
    {
        _hasManaged = true;
        _uiThreads.Add(new UiThreadFacts
        {
            Thread = new ThreadId(thread),
            Context = new Address(0x5000 + thread),
            ContextType = contextType,
            Loop = loop,
            IsSta = false,
            Trust = trust,
            Source = "the context names its thread",
        });
        return this;
    }

    /// <param name="workers">Its workers.</param>
    /// <param name="queued">How many items wait for one.</param>
    /// <param name="logged">How often its log says that it starved.</param>
    public SnapshotBuilder Pool(PoolWorkers workers, uint queued, uint logged = 0, IReadOnlyList<PoolItems>? items = null)
    {
        _pool = new PoolFacts
        {
            Workers = Known.Read(workers),
            KnownBlocked = Known.Read(0u),
            Queued = Known.Derived(new PoolQueues(queued, 0, 0, 0)),
            StarvationEntries = Known.Read(logged),
            Items = items,
        };
        return this;
    }

    /// <summary>How many work items these workers have completed, by the pool's own counts; comes behind <see cref="Pool"/>.</summary>
    public SnapshotBuilder Completed(params IEnumerable<(uint Thread, uint Items)> counts)
    {
        _pool = _pool! with { Completed = [.. counts.Select(count => new WorkerItems(new ThreadId(count.Thread), count.Items))] };
        return this;
    }

    /// <summary>Queued items of the method end the wait for a signal at the address; comes behind <see cref="Pool"/>.</summary>
    public SnapshotBuilder QueuedEnd(ulong signal, string method, int count = 1)
    {
        LockId id = new(LockKind.ManagedEvent, new Address(signal));
        _pool = _pool! with { Ends = [.. _pool.Ends ?? [], new QueuedEnd(id, method, count)] };
        return this;
    }
}
