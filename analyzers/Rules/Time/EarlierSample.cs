using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Time;

/// <summary>A sample of the process before the one that is judged, with what is looked up in it. What it does not have is not found.</summary>
internal sealed class EarlierSample
{
    private readonly Dictionary<ThreadId, ThreadFacts> _threads = [];
    private readonly Dictionary<LockId, LockFacts> _locks = [];
    private readonly Dictionary<Address, TaskFacts> _tasks = [];
    private readonly Dictionary<ThreadId, WorkFacts> _work = [];
    private readonly Dictionary<ThreadId, uint> _completed;
    private readonly ILookup<ThreadId, WaitFacts> _waits;
    private readonly (bool Native, bool Managed) _knowsWaits;
    private readonly FlowsFacts? _flows;

    /// <param name="snapshot">Its facts.</param>
    /// <param name="before">How long before the sample that is judged.</param>
    public EarlierSample(ProcessSnapshot snapshot, Known<TimeSpan> before)
    {
        Before = before;
        _knowsWaits = KnowsWaits(snapshot);
        ManagedFacts? managed = snapshot.Managed is { } section && section.TryGet(out ManagedFacts? facts) ? facts : null;
        foreach (ThreadFacts thread in ListOf(snapshot.Threads))
        {
            _threads.TryAdd(thread.OsId, thread);
        }

        IEnumerable<LockFacts> loader = snapshot.Windows?.LoaderLock.TryGet(out LockFacts? loaderLock) == true ? [loaderLock] : [];
        foreach (LockFacts @lock in loader.Concat(ListOf(snapshot.NativeLocks)).Concat(ListOf(managed?.Locks)))
        {
            _locks.TryAdd(@lock.Id, @lock);
        }

        foreach (TaskFacts task in managed?.Tasks.TryGet(out TaskGraphFacts? graph) == true ? graph.Tasks : [])
        {
            _tasks.TryAdd(task.Address, task);
        }

        foreach (WorkFacts work in ListOf(managed?.Work))
        {
            _work.TryAdd(work.Thread, work);
        }

        _flows = managed?.Flows is { } known && known.TryGet(out FlowsFacts? suspended) ? suspended : null;
        _completed = CompletedIn(managed);
        _waits = ListOf(managed?.Waits).Concat(ListOf(snapshot.NativeWaits)).ToLookup(wait => wait.Thread);
    }

    /// <summary>From this sample to the one that is judged.</summary>
    public Known<TimeSpan> Before { get; }

    /// <summary>The same thread: its id and, where both are known, its start and its managed id. Null where it did not live then.</summary>
    public ThreadFacts? Find(ThreadFacts thread)
        => _threads.TryGetValue(thread.OsId, out ThreadFacts? then)
            && !(thread.StartedAt.TryGet(out DateTimeOffset start) && then.StartedAt.TryGet(out DateTimeOffset startThen) && (start - startThen).Duration() > Thresholds.StartResolution)
            && !(thread.ManagedId is { } id && then.ManagedId is { } idThen && id != idThen)
                ? then
                : null;

    /// <summary>Null where no thread had this id then.</summary>
    public ThreadFacts? Find(ThreadId thread) => _threads.GetValueOrDefault(thread);

    /// <summary>The lock at the same address, for one of .NET only where its object is of the same type and in the same field; else the one that its owner of now waited for.</summary>
    public LockFacts? Find(LockFacts @lock)
        => _locks.TryGetValue(@lock.Id, out LockFacts? then) && !Differ(@lock.Name, then.Name) && !Differ(@lock.Field, then.Field) ? then : FindMoved(@lock);

    /// <summary>The task at the same address, of the same type and method.</summary>
    public TaskFacts? Find(TaskFacts task)
        => _tasks.TryGetValue(task.Address, out TaskFacts? then)
            && task.Kind == then.Kind && task.Method == then.Method
            && !(task.Id is { } id && then.Id is { } idThen && id != idThen)
                ? then
                : null;

    /// <summary>
    /// Whether one of these async methods was suspended there, at the same await of the same object; null where that is not known: not all
    /// of them were written down, or objects have moved since. Who waits for a time, or for the first of several tasks, may look for the
    /// same again and again: then the await is enough.
    /// </summary>
    public bool? HadAny(FlowGroup group, string? heapMark)
    {
        if (group.Members is not { } members || heapMark is null || _flows?.HeapMark != heapMark || _flows.Omitted > 0)
        {
            return null;
        }

        FlowGroup[] then = [.. _flows.Groups.Where(other => other.Method == group.Method && other.Await == group.Await)];
        if (then.Any(other => other.Members is null))
        {
            return null;
        }

        IEnumerable<FlowMember> known = then.SelectMany(other => other.Members!);
        return group.Waits.Kind is FlowWaitKind.Delay or FlowWaitKind.Timer or FlowWaitKind.WhenAny
            ? known.IntersectBy(members.Select(member => member.Flow), member => member.Flow).Any()
            : known.Any(members.Contains);
    }

    /// <summary>The waits that one of the two samples knows, the other knows too.</summary>
    public bool KnowsWaitsLike(ProcessSnapshot now) => KnowsWaits(now) == _knowsWaits;

    // The collector moves objects. A thread that waited for the lock of a field then and holds that of the same field now has got it.
    private LockFacts? FindMoved(LockFacts @lock)
        => @lock.Id.Kind.IsManaged() && @lock.Field is { HasValue: true } && @lock.Owner.TryGet(out ThreadId owner)
            && _waits[owner].Select(wait => _locks.GetValueOrDefault(wait.Lock)).OfType<LockFacts>().FirstOrDefault() is { Field.HasValue: true } then
            && then.Id.Kind == @lock.Id.Kind && !Differ(@lock.Name, then.Name) && !Differ(@lock.Field, then.Field)
                ? then
                : null;

    private static bool Differ(Known<string>? now, Known<string>? then)
        => now is not null && then is not null && now.TryGet(out string? name) && then.TryGet(out string? nameThen) && name != nameThen;

    /// <summary>Null for a thread that was not seen at work.</summary>
    public WorkFacts? WorkOf(ThreadFacts thread)
        => Find(thread) is { } then && !_waits.Contains(thread.OsId) && _work.GetValueOrDefault(thread.OsId) is { } work
            && (ThreadClassifier.Assess(then).State, work.IsPausing)
                is (ThreadActivity.Running, _) or (ThreadActivity.Sleeping or ThreadActivity.Yielding, true)
                ? work
                : null;

    /// <summary>How many work items the thread had completed then; null where that is not known.</summary>
    public uint? CompletedBy(ThreadId thread) => _completed.TryGetValue(thread, out uint count) ? count : null;

    /// <summary>How many work items each worker of the pool has completed; empty where that is not known.</summary>
    public static Dictionary<ThreadId, uint> CompletedIn(ManagedFacts? managed)
    {
        Dictionary<ThreadId, uint> completed = [];
        foreach (WorkerItems worker in managed?.Pool is { } known && known.TryGet(out PoolFacts? pool) ? pool.Completed ?? [] : [])
        {
            completed.TryAdd(worker.Thread, worker.Completed);
        }

        return completed;
    }

    public IEnumerable<WaitFacts> WaitsOf(ThreadId thread) => _waits[thread];

    private static (bool Native, bool Managed) KnowsWaits(ProcessSnapshot snapshot)
        => (snapshot.NativeWaits?.HasValue == true, snapshot.Managed?.Is(managed => managed.Waits.HasValue) == true);

    private static IReadOnlyList<T> ListOf<T>(Known<IReadOnlyList<T>>? known) => known is not null && known.TryGet(out IReadOnlyList<T>? list) ? list : [];
}
