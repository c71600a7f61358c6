using HangTriage.Facts;

namespace HangTriage.Tests.Support.Facts;

/// <summary>Writes the facts of a process that never ran: who holds what, who waits for it, what each thread was doing.</summary>
public sealed partial class SnapshotBuilder
{
    public static readonly DateTimeOffset CapturedAt = new(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);

    private readonly TargetOs _os;
    private readonly List<ThreadFacts> _threads = [];
    private readonly Dictionary<LockId, LockFacts> _locks = [];
    private readonly List<WaitFacts> _waits = [];
    private readonly List<Gap> _gaps = [];
    private DateTimeOffset _capturedAt = CapturedAt;
    private uint _pid = 4242;
    private Known<DateTimeOffset> _startedAt = Known.Unknown<DateTimeOffset>("start of the process", "not recorded");
    private Known<LockFacts>? _loaderLock;
    private Known<ManagedFacts>? _managed;
    private bool _hasManaged;

    private SnapshotBuilder(TargetOs os)
    {
        _os = os;
        _loaderLock = os == TargetOs.Windows ? Known.Read(LoaderLockFacts(null, 0)) : null;
    }

    public static SnapshotBuilder Windows() => new(TargetOs.Windows);

    public static SnapshotBuilder Linux() => new(TargetOs.Linux) { _hasManaged = true };

    /// <summary>The one lock of this kind that a Windows process has.</summary>
    public static LockId TheLoaderLock { get; } = new(LockKind.LoaderLock, new Address(0x7ffd00001000));

    /// <summary>The same process, captured so long before <see cref="CapturedAt"/>. Comes before the threads.</summary>
    public SnapshotBuilder Earlier(TimeSpan before)
    {
        _capturedAt = CapturedAt - before;
        return this;
    }

    /// <summary>How old the process is at <see cref="CapturedAt"/>; not recorded unless it is said.</summary>
    public SnapshotBuilder RunningFor(TimeSpan time)
    {
        _startedAt = Known.Read(CapturedAt - time);
        return this;
    }

    public SnapshotBuilder Pid(uint pid)
    {
        _pid = pid;
        return this;
    }

    public static LockId Monitor(ulong address) => new(LockKind.Monitor, new Address(address));

    public static LockId Section(ulong address) => new(LockKind.CriticalSection, new Address(address));

    /// <summary>Adds a thread whose frames are written as debuggers write them (<see cref="FrameParser"/>), innermost first.</summary>
    public SnapshotBuilder Thread(uint id, params string[] frames) => Thread(id, null, frames);

    public SnapshotBuilder Thread(uint id, ThreadOptions? options, params string[] frames)
    {
        options ??= new ThreadOptions();
        _threads.Add(new ThreadFacts
        {
            OsId = new ThreadId(id),
            Index = options.Index ?? _threads.Count,
            ManagedId = frames.Select(FrameParser.Parse).Any(frame => frame.Kind != FrameKind.Native) ? _threads.Count + 1 : null,
            Name = Known.Read(options.Name),
            Cpu = options.Cpu is { } cpu ? Known.Read(cpu) : Known.Unknown<CpuTime>("CPU time", "no thread times in the dump"),
            StartedAt = options.Life is { } life
                ? Known.Read(_capturedAt - life)
                : Known.Unknown<DateTimeOffset>("start of the thread", "no thread times in the dump"),
            StartAddress = Known.Unknown<Address>("start address", "no thread times in the dump"),
            Stack = new StackFacts(
                [.. frames.Select(FrameParser.Parse).Select((frame, depth) => depth >= options.ScannedFrom ? frame with { Trust = Trust.Scanned } : frame)],
                options.StackStopped),
            Loop = options.Loop,
            IsInSystemCall = options.IsInSystemCall,
            Kernel = options.Kernel,
            IsSuspended = options.IsSuspended is { } isSuspended ? Known.Derived(isSuspended) : null,
            SystemCall = options.Sleep is { } sleep
                ? Known.Derived(new SystemCallFacts(Known.Read(0x34u), Known.Derived("NtDelayExecution")) { Delay = Known.Derived(sleep) })
                : null,
            Teb = _os == TargetOs.Windows
                ? Known.Read(new TebFacts(
                    new Address(0x7000 + id),
                    Known.Read(options.WaitingOnLoaderLock),
                    options.IsLoadOwner is { } isOwner ? Known.Read(isOwner) : Known.Unknown<bool>("load owner flag", "not in the dump"),
                    Known.Read(options.IsLoaderWorker)) { IsGuiThread = Known.Read(options.IsGuiThread), ClientId = new ThreadId(options.ClientId ?? id) })
                : null,
        });
        return this;
    }

    /// <summary>A lock: of .NET or of Windows, as its kind says.</summary>
    public SnapshotBuilder Lock(LockId id, uint? owner, string type = "System.Object")
    {
        _hasManaged |= IsManaged(id);
        _locks[id] = new LockFacts
        {
            Id = id,
            Name = Known.Read(type),
            IsHeld = Known.Read(owner is not null),
            Owner = owner is { } thread
                ? Known.Read(new ThreadId(thread))
                : Known.Unknown<ThreadId>("owner", "the lock is free"),
            Recursion = Known.Read(owner is null ? 0u : 1u),
            WaiterCount = Known.Read(0u),
        };
        return this;
    }

    public SnapshotBuilder Waits(uint thread, LockId id, TimeSpan? timeout = null, WaitKind kind = WaitKind.Acquire, Trust trust = Trust.Read)
    {
        _hasManaged |= IsManaged(id);
        _waits.Add(new WaitFacts
        {
            Thread = new ThreadId(thread),
            Lock = id,
            Kind = kind,
            Timeout = Known.Read(timeout ?? Timeout.InfiniteTimeSpan),
            Trust = trust,
            Source = "ThreadBlockingInfo",
        });
        return this;
    }

    /// <summary>Nothing records when the last wait gives up.</summary>
    public SnapshotBuilder WithUnknownTimeout()
    {
        _waits[^1] = _waits[^1] with { Timeout = Known.Unknown<TimeSpan>("timeout", "the runtime does not record it for this wait") };
        return this;
    }

    /// <summary>Whether one of those who wait was woken to take the lock; null where nothing tells.</summary>
    public SnapshotBuilder Woken(LockId id, bool? hasWokenWaiter)
    {
        _locks[id] = _locks[id] with { HasWokenWaiter = hasWokenWaiter };
        return this;
    }

    /// <summary>A held lock that does not record by whom.</summary>
    public SnapshotBuilder LockWithoutOwner(LockId id)
    {
        Lock(id, null, "");
        _locks[id] = _locks[id] with { IsHeld = Known.Read(true), Owner = Known.Unknown<ThreadId>("owner", "SRW locks do not record their owner") };
        return this;
    }

    /// <summary>A held lock whose owner has ended.</summary>
    public SnapshotBuilder OrphanedLock(LockId id, string type)
    {
        Lock(id, null, type);
        _locks[id] = _locks[id] with
        {
            IsHeld = Known.Read(true),
            OwnerHasEnded = true,
            Owner = Known.Unknown<ThreadId>("owner", "the thread with the managed id 7 took the monitor and has ended"),
        };
        return this;
    }

    /// <summary>A reader/writer lock that these threads read under.</summary>
    public SnapshotBuilder ReadLock(LockId id, string type, params IReadOnlyList<uint> readers)
    {
        Lock(id, null, type);
        _locks[id] = _locks[id] with { IsHeld = Known.Read(true), Readers = Known.Derived<IReadOnlyList<ThreadId>>([.. readers.Select(reader => new ThreadId(reader))]) };
        return this;
    }

    public SnapshotBuilder Semaphore(LockId id, string type, uint left, uint most)
    {
        Lock(id, null, type);
        _locks[id] = _locks[id] with { IsHeld = Known.Read(left == 0), Entries = Known.Read(new SemaphoreEntries(left, most)) };
        return this;
    }

    /// <summary>A semaphore whose entries these threads and async methods have, the latter by their boxes.</summary>
    public SnapshotBuilder HeldSemaphore(LockId id, IReadOnlyList<uint> threads, params IReadOnlyList<ulong> flows)
    {
        Lock(id, null, "System.Threading.SemaphoreSlim");
        EntryHolder[] holders =
        [
            .. threads.Select(thread => new EntryHolder { Thread = new ThreadId(thread) }),
            .. flows.Select(flow => new EntryHolder { Flow = new Address(flow) }),
        ];
        _locks[id] = _locks[id] with
        {
            IsHeld = Known.Read(true),
            Entries = Known.Read(new SemaphoreEntries(0, (uint)holders.Length)),
            Holders = holders,
            Owner = holders is [{ Thread: { } only }] ? Known.Derived(only)
                : Known.Unknown<ThreadId>("owner", "a semaphore has none: any thread can release it"),
        };
        return this;
    }

    /// <summary>A thread that waits for another one's end.</summary>
    public SnapshotBuilder Joins(uint thread, uint target, Trust trust = Trust.Derived)
    {
        Waits(thread, new LockId(LockKind.Thread, new Address(0x44)), kind: WaitKind.Exit, trust: trust);
        _waits[^1] = _waits[^1] with { TargetThread = new ThreadId(target) };
        return this;
    }

    /// <summary>Makes the last wait one of several of which any ends the call.</summary>
    public SnapshotBuilder OrAnEvent(uint thread)
    {
        _waits[^1] = _waits[^1] with { Mode = WaitMode.Any };
        Waits(thread, new LockId(LockKind.Event, new Address(0x48)), kind: WaitKind.Signal);
        _waits[^1] = _waits[^1] with { Mode = WaitMode.Any };
        return this;
    }

    public SnapshotBuilder LoaderLock(uint? owner, uint waiters = 0)
    {
        _loaderLock = Known.Read(LoaderLockFacts(owner, waiters));
        return this;
    }

    public SnapshotBuilder LoaderLockUnknown(string why)
    {
        _loaderLock = Known.Unknown<LockFacts>("loader lock", why);
        return this;
    }

    public SnapshotBuilder ManagedUnknown(string why)
    {
        _managed = Known.Unknown<ManagedFacts>("managed state", why);
        return this;
    }

    /// <summary>The process's hash tables; none unless they are added.</summary>
    public TableBuilder Tables { get; } = new();

    public SnapshotBuilder Gap(string what, string why)
    {
        _gaps.Add(new Gap(what, why));
        return this;
    }

    public ProcessSnapshot Build() => new()
    {
        Target = new TargetFacts
        {
            Kind = _os == TargetOs.Windows ? TargetKind.Minidump : TargetKind.ElfCore,
            Os = _os,
            Architecture = TargetArchitecture.X64,
            OsBuild = _os == TargetOs.Windows ? Known.Read(14393u) : Known.Unknown<uint>("build", "not recorded in a core"),
            Pid = Known.Read(_pid),
            ProcessName = Known.Read("app"),
            ProcessorCount = Known.Read(8u),
            StartedAt = _startedAt,
            CapturedAt = Known.Read(_capturedAt),
            Runtimes = Known.Read<IReadOnlyList<RuntimeFacts>>(_hasManaged ? [Runtime()] : []),
        },
        Modules = Known.Read<IReadOnlyList<ModuleFacts>>([new ModuleFacts("app.exe", new Address(0x140000000), 0x10000)]),
        Threads = Known.Read<IReadOnlyList<ThreadFacts>>(_threads),
        Windows = _loaderLock is null
            ? null
            : new WindowsFacts
            {
                Peb = Known.Read(new Address(0x6000)),
                LoaderLock = _loaderLock,
                Locks = Known.Read<IReadOnlyList<LockFacts>>([.. _locks.Values.Where(@lock => !IsManaged(@lock.Id))]),
                Waits = Known.Derived<IReadOnlyList<WaitFacts>>([.. _waits.Where(wait => !IsManaged(wait.Lock))]),
                Handles = Known.Unknown<IReadOnlyList<HandleFacts>>("handles", "no handle stream"),
            },
        Managed = _managed ?? (_hasManaged
            ? Known.Derived(new ManagedFacts
            {
                Runtime = Runtime(),
                Locks = Known.Read<IReadOnlyList<LockFacts>>([.. _locks.Values.Where(@lock => IsManaged(@lock.Id))]),
                Waits = Known.Read<IReadOnlyList<WaitFacts>>([.. _waits.Where(wait => IsManaged(wait.Lock)).Select(WithReach)]),
                Collections = Tables.IsEmpty ? null : Known.Read(Tables.Build()),
                Tasks = Known.Derived(new TaskGraphFacts { Waits = _taskWaits, Tasks = [.. _tasks.Values] }),
                UiThreads = Known.Derived<IReadOnlyList<UiThreadFacts>>(_uiThreads),
                Outside = Known.Derived<IReadOnlyList<OutsideWaitFacts>>(_outside),
                Work = Known.Derived<IReadOnlyList<WorkFacts>>(_work),
                Polls = Known.Derived<IReadOnlyList<PollFacts>>(_polls),
                HandlesSignals = _handlesSignals is { } handles ? Known.Derived(handles) : null,
                EndedServices = _endedServices,
                Children = _children.Count == 0 ? null : Known.Read<IReadOnlyList<ChildFacts>>(_children),
                QueueReaders = Known.Derived<IReadOnlyList<QueueReaderFacts>>(_readers),
                Flows = BuildFlows(),
                Reach = BuildReach(),
                Movers = BuildMovers(),
                CollectionWaits = _collections.Count == 0 ? null : Known.Derived<IReadOnlyList<CollectionWaitFacts>>(_collections),
                Finalizer = _finalizer is null ? null : Known.Read(_finalizer),
                Pool = _pool is null ? null : Known.Read(_pool),
                Requests = _requests.Count == 0 ? null : Known.Read(new RequestsFacts([.. _requests], 0)),
                Listens = _listens.Count == 0 ? null : _listens,
                Unsent = _unsent.Count == 0 ? null : _unsent,
            })
            : null),
        Gaps = _gaps,
    };

    // Whatever a thread of a core is seen to wait for, its runtime told.
    private bool IsManaged(LockId id) => id.Kind.IsManaged() || _os == TargetOs.Linux;

    private static RuntimeFacts Runtime() => new("CoreCLR", Known.Read("10.0.12"));

    private static LockFacts LoaderLockFacts(uint? owner, uint waiters) => new()
    {
        Id = TheLoaderLock,
        Name = Known.Read("loader lock"),
        IsHeld = Known.Read(owner is not null),
        Owner = owner is { } thread ? Known.Read(new ThreadId(thread)) : Known.Unknown<ThreadId>("owner", "the lock is free"),
        Recursion = Known.Read(owner is null ? 0u : 1u),
        WaiterCount = Known.Read(waiters),
    };
}
