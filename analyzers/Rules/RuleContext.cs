using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>The facts, and what every rule needs to have worked out of them once.</summary>
public sealed class RuleContext
{
    private readonly Dictionary<ThreadId, ThreadAssessment> _byId = [];
    private readonly Dictionary<LockId, LockFacts> _locks = [];
    private readonly Dictionary<Address, TaskFacts> _tasks = [];
    private readonly Dictionary<ThreadId, UiThreadFacts> _uiThreads = [];
    private readonly ILookup<ThreadId, WaitFacts> _waits;

    public RuleContext(ProcessSnapshot snapshot, EarlierCapture? earlier = null)
    {
        ArgumentNullException.ThrowIfNull(snapshot);
        Snapshot = snapshot;
        Earlier = earlier;
        LockFacts? load = LoadInProgress.Of(snapshot);
        Graph = WaitGraphBuilder.Build(snapshot, load);
        Threads = snapshot.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads)
            ? [.. threads.Select(ThreadClassifier.Assess)]
            : [];

        foreach (ThreadAssessment thread in Threads)
        {
            _byId.TryAdd(thread.Thread.OsId, thread);
            ProcessCpu += thread.Thread.Cpu.TryGet(out CpuTime? time) ? time.Total() : TimeSpan.Zero;
        }

        foreach (LockFacts @lock in LocksOf(snapshot, load))
        {
            _locks.TryAdd(@lock.Id, @lock);
        }

        ManagedFacts? managed = snapshot.Managed is { } section && section.TryGet(out ManagedFacts? facts) ? facts : null;
        foreach (TaskFacts task in managed?.Tasks.TryGet(out TaskGraphFacts? graph) == true ? graph.Tasks : [])
        {
            _tasks.TryAdd(task.Address, task);
        }

        _waits = (managed is null ? [] : ValueOf(managed.Waits)).Concat(snapshot.Windows is { } windows ? ValueOf(windows.Waits) : []).ToLookup(wait => wait.Thread);
        foreach (UiThreadFacts thread in managed?.UiThreads.TryGet(out IReadOnlyList<UiThreadFacts>? uiThreads) == true ? uiThreads : [])
        {
            _uiThreads.TryAdd(thread.Thread, thread);
        }
    }

    public ProcessSnapshot Snapshot { get; }

    /// <summary>The same process some time before; null where one capture is all there is.</summary>
    public EarlierCapture? Earlier { get; }

    public WaitGraph Graph { get; }

    /// <summary>Every thread, in the snapshot's order; empty where the threads are a gap.</summary>
    public IReadOnlyList<ThreadAssessment> Threads { get; }

    /// <summary>The processor time of all threads for which it is known.</summary>
    public TimeSpan ProcessCpu { get; }

    /// <summary>Null for a thread that is not among the snapshot's, such as a lock's owner that has exited.</summary>
    public ThreadAssessment? Find(ThreadId thread) => _byId.GetValueOrDefault(thread);

    public LockFacts? Find(LockId @lock) => _locks.GetValueOrDefault(@lock);

    public TaskFacts? FindTask(Address task) => _tasks.GetValueOrDefault(task);

    /// <summary>Null for a thread that runs no loop of a synchronization context.</summary>
    public UiThreadFacts? FindUiThread(ThreadId thread) => _uiThreads.GetValueOrDefault(thread);

    /// <summary>What the thread waits for, those first that .NET knows of; empty where it waits for nothing, or for nothing that is known.</summary>
    public IReadOnlyList<WaitFacts> WaitsOf(ThreadId thread) => [.. _waits[thread]];

    /// <summary>Every lock of the snapshot, native and managed, with the loader's two.</summary>
    public IEnumerable<LockFacts> Locks => _locks.Values;

    private static IEnumerable<LockFacts> LocksOf(ProcessSnapshot snapshot, LockFacts? load)
    {
        IEnumerable<LockFacts> loader = snapshot.Windows is { } windows && windows.LoaderLock.TryGet(out LockFacts? loaderLock) ? [loaderLock] : [];
        IEnumerable<LockFacts> native = snapshot.Windows is { } process ? ValueOf(process.Locks) : [];
        IEnumerable<LockFacts> managed = snapshot.Managed is { } section && section.TryGet(out ManagedFacts? facts) ? ValueOf(facts.Locks) : [];
        return loader.Concat(load is null ? [] : [load]).Concat(native).Concat(managed);
    }

    private static IReadOnlyList<T> ValueOf<T>(Known<IReadOnlyList<T>> known) => known.TryGet(out IReadOnlyList<T>? list) ? list : [];
}
