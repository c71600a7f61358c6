using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;
using HangTriage.Rules.Time;

namespace HangTriage.Rules.Context;

/// <summary>
/// The facts, and what every rule needs to have worked out of them once. A gap reads as empty here: each rule declares what it
/// needs, and the engine, not the rule, ends it as blind where that is missing.
/// </summary>
public sealed class RuleContext
{
    private readonly Dictionary<ThreadId, ThreadAssessment> _byId = [];
    private readonly Dictionary<LockId, LockFacts> _locks = [];
    private readonly Dictionary<Address, TaskFacts> _tasks = [];
    private readonly Dictionary<ThreadId, UiThreadFacts> _uiThreads = [];
    private readonly Dictionary<ThreadId, OutsideWaitFacts> _outside = [];
    private readonly Dictionary<ThreadId, TaskWaitFacts> _taskWaits = [];
    private readonly Dictionary<ThreadId, PollFacts> _polls = [];
    private readonly Dictionary<ThreadId, WorkFacts> _work = [];
    private readonly ILookup<ThreadId, WaitFacts> _waits;
    private readonly Lazy<ILookup<CycleClass, Circle>> _circles;
    private readonly Lazy<IReadOnlyList<SpinSignals>> _spins;
    private readonly Lazy<FateFinder> _fates;
    private readonly Lazy<AsyncFlows> _flows;
    private readonly Lazy<LostWaits> _lost;
    private readonly Lazy<StillProcess> _still;

    public RuleContext(Case @case)
    {
        ArgumentNullException.ThrowIfNull(@case);
        Case = @case;
        ProcessSnapshot snapshot = @case.Last;
        Managed = snapshot.Managed is { } section && section.TryGet(out ManagedFacts? managed) ? managed : null;
        Tasks = Managed is not null && Managed.Tasks.TryGet(out TaskGraphFacts? tasks) ? tasks : new TaskGraphFacts { Waits = [], Tasks = [] };
        LockFacts? load = LoadInProgress.Of(snapshot);
        Graph = WaitGraphBuilder.Build(snapshot, load);
        HashSet<ThreadId> woken = [.. Managed?.Woken ?? []];
        Threads =
        [
            .. RuntimeHelp.AsAtWork([.. Listed(snapshot.Threads).Select(ThreadClassifier.Assess)])
                .Select(thread => thread with { IsWoken = woken.Contains(thread.Thread.OsId) }),
        ];
        AddAll(_byId, Threads, thread => thread.Thread.OsId);
        AddAll(_locks, LocksOf(load), @lock => @lock.Id);
        AddAll(_tasks, Tasks.Tasks, task => task.Address);
        AddAll(_uiThreads, Listed(Managed?.UiThreads), thread => thread.Thread);
        AddAll(_outside, Listed(Managed?.Outside), wait => wait.Thread);
        AddAll(_polls, Listed(Managed?.Polls).Where(poll => poll.Thread is not null), poll => poll.Thread!.Value);
        AddAll(_work, Listed(Managed?.Work), work => work.Thread);
        AddAll(_taskWaits, Tasks.Waits, wait => wait.Thread);
        ProcessCpu = Threads.Any(thread => !thread.Thread.Cpu.HasValue)
            ? null
            : Threads.Aggregate(TimeSpan.Zero, (sum, thread) => sum + thread.Thread.Cpu.Value.Total());
        _waits = Listed(Managed?.Waits).Concat(Listed(snapshot.NativeWaits)).ToLookup(wait => wait.Thread);
        Timeline = new Timeline(@case, _waits);
        Traced = new TraceHistory(@case);
        _circles = new(() => Circles.Of(this));
        _spins = new(() => [.. Threads.Select(thread => SpinSignals.Of(thread, this))]);
        _fates = new(() => new FateFinder(this));
        _flows = new(() => new AsyncFlows(this));
        _lost = new(() => new LostWaits(this));
        _still = new(() => new StillProcess(this));
        Polls = new Polls(this, Listed(Managed?.Polls));
    }

    public Case Case { get; }

    /// <summary>The sample of the case that is judged.</summary>
    public ProcessSnapshot Snapshot => Case.Last;

    /// <summary>The trace that is joined to the capture; null where there is none.</summary>
    public CaseTrace? Trace => Case.Trace is { Join.IsJoined: true } trace ? trace : null;

    /// <summary>Since when, by the samples before.</summary>
    internal Timeline Timeline { get; }

    /// <summary>The threads in the joined trace.</summary>
    internal TraceHistory Traced { get; }

    /// <summary>Every wait that is known, those first that .NET knows of.</summary>
    public IEnumerable<WaitFacts> Waits => _waits.SelectMany(group => group);

    /// <summary>What is known of .NET; null where there is none, and where it is a gap.</summary>
    public ManagedFacts? Managed { get; }

    /// <summary>What the thread pool says of itself; null where it was never used, or is not known.</summary>
    public PoolFacts? Pool => Managed?.Pool is { } known && known.TryGet(out PoolFacts? pool) ? pool : null;

    /// <summary>The processes that this one has started.</summary>
    public IReadOnlyList<ChildFacts> Children => Listed(Managed?.Children);

    public TaskGraphFacts Tasks { get; }

    public WaitGraph Graph { get; }

    /// <summary>Every thread, in the snapshot's order; empty where the threads are a gap.</summary>
    public IReadOnlyList<ThreadAssessment> Threads { get; }

    /// <summary>What the input lost of what is read for the judgement.</summary>
    public IEnumerable<Gap> Losses
        => Snapshot.Gaps
            .Concat(Threads.SelectMany(thread => new[] { thread.Thread.Stack.Stopped, thread.Thread.Teb?.Gap }.OfType<Gap>()))
            .Where(gap => gap.IsLoss);

    /// <summary>The processor time of all threads; null where that of one of them is not known.</summary>
    public TimeSpan? ProcessCpu { get; }

    /// <summary>Every lock of the snapshot, native and managed, with the loader's two.</summary>
    public IEnumerable<LockFacts> Locks => _locks.Values;

    /// <summary>The signs of every thread that it spins, in the order of <see cref="Threads"/>.</summary>
    internal IReadOnlyList<SpinSignals> Spins => _spins.Value;

    /// <summary>The signs of one of <see cref="Threads"/>.</summary>
    internal SpinSignals SpinOf(ThreadAssessment thread) => Spins.First(signs => signs.Thread.OsId == thread.Thread.OsId);

    /// <summary>What becomes of tasks and threads.</summary>
    internal FateFinder Fates => _fates.Value;

    /// <summary>The loops in which threads and async methods wait.</summary>
    internal Polls Polls { get; }

    /// <summary>The suspended async methods.</summary>
    internal AsyncFlows Flows => _flows.Value;

    /// <summary>The waits that nothing which runs can end.</summary>
    internal LostWaits LostWaits => _lost.Value;

    /// <summary>Whether what still moves can end a wait.</summary>
    internal StillProcess Still => _still.Value;

    /// <summary>No code of the program runs or is known to run again.</summary>
    internal bool IsQuiet => Managed?.Reach is { } reach && reach.TryGet(out ReachFacts? facts) && facts.IsQuiet;

    /// <summary>Code of the program was found to run, or to run again.</summary>
    internal bool IsSeenRunning => Managed?.Reach is { } reach && reach.TryGet(out ReachFacts? facts) && !facts.IsQuiet;

    /// <summary>Null for a thread that is not among the snapshot's, such as a lock's owner that has exited.</summary>
    public ThreadAssessment? Find(ThreadId thread) => _byId.GetValueOrDefault(thread);

    public LockFacts? Find(LockId @lock) => _locks.GetValueOrDefault(@lock);

    public TaskFacts? FindTask(Address task) => _tasks.GetValueOrDefault(task);

    /// <summary>Null for a thread that runs no loop of a synchronization context.</summary>
    public UiThreadFacts? FindUiThread(ThreadId thread) => _uiThreads.GetValueOrDefault(thread);

    /// <summary>What is known of the other side of a thread's call that leaves the process; null where nothing is.</summary>
    public OutsideWaitFacts? FindOutside(ThreadId thread) => _outside.GetValueOrDefault(thread);

    /// <summary>Null for a thread that waits in no loop.</summary>
    public PollFacts? FindPoll(ThreadId thread) => _polls.GetValueOrDefault(thread);

    /// <summary>Null for a thread that was not seen at work.</summary>
    public WorkFacts? FindWork(ThreadId thread) => _work.GetValueOrDefault(thread);

    /// <summary>Null for a thread that blocks on no task.</summary>
    public TaskWaitFacts? FindTaskWait(ThreadId thread) => _taskWaits.GetValueOrDefault(thread);

    /// <summary>What the thread waits for, those first that .NET knows of; empty where it waits for nothing, or for nothing that is known.</summary>
    public IReadOnlyList<WaitFacts> WaitsOf(ThreadId thread) => [.. _waits[thread]];

    /// <summary>The cycles of one class; each cycle is of one class alone.</summary>
    internal IEnumerable<Circle> CirclesOf(CycleClass which) => _circles.Value[which];

    /// <summary>The thread is in a cycle of any class.</summary>
    internal bool IsInCircle(ThreadId thread) => _circles.Value.Any(group => group.Any(circle => circle.Nodes.Any(node => node.Thread == thread)));

    private IEnumerable<LockFacts> LocksOf(LockFacts? load)
    {
        IEnumerable<LockFacts> loader = Snapshot.Windows is { } windows && windows.LoaderLock.TryGet(out LockFacts? loaderLock) ? [loaderLock] : [];
        return loader.Concat(load is null ? [] : [load]).Concat(Listed(Snapshot.NativeLocks)).Concat(Listed(Managed?.Locks));
    }

    // Of two with one key the first counts.
    private static void AddAll<TKey, T>(Dictionary<TKey, T> index, IEnumerable<T> items, Func<T, TKey> keyOf)
        where TKey : notnull
    {
        foreach (T item in items)
        {
            index.TryAdd(keyOf(item), item);
        }
    }

    private static IReadOnlyList<T> Listed<T>(Known<IReadOnlyList<T>>? known)
        => known is not null && known.TryGet(out IReadOnlyList<T>? list) ? list : [];
}
