using System.Text.Json.Serialization;
using HangTriage.Facts.Time;

namespace HangTriage.Facts;

/// <summary>What a .NET runtime says of its locks and of the threads that wait for them.</summary>
public sealed record ManagedFacts
{
    private readonly Known<TaskGraphFacts>? _tasks;
    private readonly Known<IReadOnlyList<UiThreadFacts>>? _uiThreads;

    public required RuntimeFacts Runtime { get; init; }

    /// <summary>Every inflated monitor that is held or waited for, and every System.Threading.Lock that a thread waits for.</summary>
    public required Known<IReadOnlyList<LockFacts>> Locks { get; init; }

    /// <summary>The waits that the runtime records.</summary>
    public required Known<IReadOnlyList<WaitFacts>> Waits { get; init; }

    /// <summary>Its hash tables; null where nobody looked.</summary>
    public Known<CollectionsFacts>? Collections { get; init; }

    /// <summary>The tasks that threads are blocked on, and what completes them.</summary>
    public Known<TaskGraphFacts> Tasks
    {
        get => _tasks ?? Known.Unknown<TaskGraphFacts>("tasks", "they were not captured");
        init => _tasks = value;
    }

    /// <summary>The threads of a user interface, and those that run what is posted to a context of their own.</summary>
    public Known<IReadOnlyList<UiThreadFacts>> UiThreads
    {
        get => _uiThreads ?? Known.Unknown<IReadOnlyList<UiThreadFacts>>("user-interface threads", "they were not captured");
        init => _uiThreads = value;
    }

    /// <summary>
    /// The async methods that are suspended; null in facts of before this was read. A gap where they were not looked for: the heap
    /// is not in the input, or is larger than the limit.
    /// </summary>
    public Known<FlowsFacts>? Flows { get; init; }

    /// <summary>The loops in which threads and async methods wait for a condition; null in facts of before this was read.</summary>
    public Known<IReadOnlyList<PollFacts>>? Polls { get; init; }

    /// <summary>
    /// Threads that are under a lock in a loop that need not end, or in such as end for certain; null in facts of before this was read.
    /// </summary>
    public Known<IReadOnlyList<LockedLoopFacts>>? LockedLoops { get; init; }

    /// <summary>
    /// Threads that wait for work with no method on the stack, but of .NET's own, that takes a lock or gives one back: what they hold was
    /// taken by a call that has returned. Null in facts of before this was read.
    /// </summary>
    public Known<IReadOnlyList<ThreadId>>? LockFree { get; init; }

    /// <summary>The blocks of Dataflow whose next item nobody takes; null in facts of before this was read.</summary>
    public Known<IReadOnlyList<StuckBlockFacts>>? StuckBlocks { get; init; }

    /// <summary>The threads at work, and the state of their frames; null where nobody looked.</summary>
    public Known<IReadOnlyList<WorkFacts>>? Work { get; init; }

    /// <summary>Threads in calls that wait for something outside the process; null where nobody looked.</summary>
    public Known<IReadOnlyList<OutsideWaitFacts>>? Outside { get; init; }

    /// <summary>The processes that this one has started and that are not known to have ended; null where nobody looked.</summary>
    public Known<IReadOnlyList<ChildFacts>>? Children { get; init; }

    /// <summary>The addresses at which the process takes connections, as "127.0.0.1:5000"; null where nobody looked.</summary>
    public IReadOnlyList<string>? Listens { get; init; }

    /// <summary>The threads that serve such connections; null where nobody looked.</summary>
    public IReadOnlyList<ServingThread>? Serving { get; init; }

    /// <summary>What has been written to sockets and not sent, at most some; null where nobody looked.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<UnsentFacts>? Unsent { get; init; }

    /// <summary>Who takes items from bounded queues and is not waiting for the next one; null where nobody looked.</summary>
    public Known<IReadOnlyList<QueueReaderFacts>>? QueueReaders { get; init; }

    /// <summary>
    /// Threads in a call that blocks on tasks, which have completed, or in Monitor.Wait, which have got their pulse: each is about to go on, once
    /// it has its lock again. Null for none.
    /// </summary>
    public IReadOnlyList<ThreadId>? Woken { get; init; }

    /// <summary>The background services of a host that have ended; null where nobody looked.</summary>
    public IReadOnlyList<EndedServiceFacts>? EndedServices { get; init; }

    /// <summary>
    /// The program handles signals of the system or Ctrl+C: somebody outside can ask it to end. Null in facts of before this was read.
    /// </summary>
    public Known<bool>? HandlesSignals { get; init; }

    /// <summary>The moment of the capture on the runtime's own clock; null where nothing tells.</summary>
    public Known<ClockFacts>? Clock { get; init; }

    /// <summary>The requests over HTTP that are under way; null where the async methods were not read.</summary>
    public Known<RequestsFacts>? Requests { get; init; }

    /// <summary>How it was found out who can still end the waits; null where nobody looked.</summary>
    public Known<ReachFacts>? Reach { get; init; }

    /// <summary>What runs, or will run without anybody outside; null where nobody looked.</summary>
    public Known<IReadOnlyList<MoverFacts>>? Movers { get; init; }

    /// <summary>The thread that runs finalizers; null where nobody looked, or there is none.</summary>
    public Known<FinalizerFacts>? Finalizer { get; init; }

    /// <summary>Threads that wait until an object is collected, and what keeps it; null in facts of before this was read.</summary>
    public Known<IReadOnlyList<CollectionWaitFacts>>? CollectionWaits { get; init; }

    /// <summary>The thread pool; null where it was never used.</summary>
    public Known<PoolFacts>? Pool { get; init; }
}
