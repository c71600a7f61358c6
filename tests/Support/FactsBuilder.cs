using HangTriage.Facts;

namespace HangTriage.Tests.Support;

/// <summary>
/// Builds the facts of a process in a few words: <c>FactsBuilder.Windows().Thread(1).Holds(a).WaitsFor(b).Build()</c>.
/// What is not said is known to be absent; <c>Unknown...</c> makes gaps.
/// </summary>
public sealed class FactsBuilder
{
    private static readonly DateTimeOffset s_started = new(2024, 5, 6, 5, 0, 0, TimeSpan.Zero);

    private readonly TargetOs _os;
    private readonly List<ThreadBuilder> _threads = [];
    private readonly Dictionary<LockId, LockFacts> _locks = [];
    private readonly List<WaitFacts> _waits = [];
    private readonly List<Gap> _gaps = [];
    private Known<IReadOnlyList<RuntimeFacts>> _runtimes = Known.Read<IReadOnlyList<RuntimeFacts>>([]);
    private string? _unknown;

    private FactsBuilder(TargetOs os) => _os = os;

    public static DateTimeOffset CapturedAt { get; } = s_started.AddMinutes(135);

    /// <summary>The one lock of this kind that a Windows process has.</summary>
    public static LockId LoaderLock { get; } = new(LockKind.LoaderLock, new Address(0x7ffd_1234_5678));

    public static FactsBuilder Windows() => new(TargetOs.Windows);

    public static FactsBuilder Linux() => new(TargetOs.Linux);

    public static LockId Monitor(int number) => new(LockKind.Monitor, new Address(0x7f00_0000_1000 + (0x18 * (ulong)number)));

    /// <summary>The process runs this CoreCLR.</summary>
    public FactsBuilder WithDotNet(string version = "10.0.1")
    {
        _runtimes = Known.Read<IReadOnlyList<RuntimeFacts>>([new RuntimeFacts("CoreCLR", Known.Read(version))]);
        return this;
    }

    public FactsBuilder WithGap(string what, string why)
    {
        _gaps.Add(new Gap(what, why));
        return this;
    }

    /// <summary>Everything that can be a gap is one.</summary>
    public FactsBuilder UnknownThroughout(string why)
    {
        _unknown = why;
        return this;
    }

    /// <summary>The thread of this number in the debugger; its id is 0x1000 and four times the number unless it is given.</summary>
    public ThreadBuilder Thread(int index, uint? osId = null)
    {
        if (_threads.Find(thread => thread.Index == index) is not { } thread)
        {
            thread = new ThreadBuilder(this, index, new ThreadId(osId ?? (uint)(0x1000 + (4 * index))));
            _threads.Add(thread);
        }

        return thread;
    }

    public ProcessSnapshot Build()
    {
        IReadOnlyList<ThreadFacts> threads = [.. _threads.Select(thread => thread.Facts(_os))];
        return new ProcessSnapshot
        {
            Target = new TargetFacts
            {
                Kind = _os == TargetOs.Windows ? TargetKind.Minidump : TargetKind.ElfCore,
                Os = _os,
                Architecture = TargetArchitecture.X64,
                OsBuild = Fact("OS build", 14_393u),
                Pid = Fact("process id", 4_660u),
                ProcessName = Fact("process name", _os == TargetOs.Windows ? "app.exe" : "app"),
                ProcessorCount = Fact("processor count", 4u),
                StartedAt = Fact("start time of the process", s_started),
                CapturedAt = Fact("time of the capture", CapturedAt),
                Runtimes = _unknown is null ? _runtimes : Known.Unknown<IReadOnlyList<RuntimeFacts>>(".NET runtimes", _unknown),
            },
            Modules = Fact<IReadOnlyList<ModuleFacts>>("modules", []),
            Threads = Fact("threads", threads),
            Windows = _os == TargetOs.Windows ? WindowsPart() : null,
            Managed = ManagedPart(),
            Gaps = [.. _gaps],
        };
    }

    internal void Held(LockId id, ThreadId owner)
    {
        LockFacts known = Lock(id);
        _locks[id] = known with
        {
            IsHeld = Known.Read(true),
            Owner = Known.Read(owner),
            Recursion = Known.Read((known.Recursion.TryGet(out uint depth) ? depth : 0) + 1),
        };
    }

    internal void Waited(LockId id, ThreadId waiter, WaitKind kind, TimeSpan timeout)
    {
        _locks[id] = Lock(id) with { WaiterCount = Known.Read(Lock(id).WaiterCount.Value + 1) };
        _waits.Add(new WaitFacts
        {
            Thread = waiter,
            Lock = id,
            Kind = kind,
            Timeout = Known.Read(timeout),
            Trust = Trust.Read,
            Source = "ThreadBlockingInfo",
        });
    }

    private LockFacts Lock(LockId id) => _locks.TryGetValue(id, out LockFacts? known) ? known : new LockFacts
    {
        Id = id,
        Name = Known.Read(id.Kind == LockKind.LoaderLock ? "LdrpLoaderLock" : "System.Object"),
        IsHeld = Known.Read(false),
        Owner = Known.Unknown<ThreadId>("owner", "nobody holds it"),
        Recursion = Known.Read(0u),
        WaiterCount = Known.Read(0u),
    };

    private WindowsFacts WindowsPart() => new()
    {
        Peb = Fact("PEB", new Address(0x8f_0000)),
        LoaderLock = Fact("loader lock", Lock(LoaderLock)),
    };

    private Known<ManagedFacts>? ManagedPart()
        => _unknown is not null ? Known.Unknown<ManagedFacts>("managed locks and waits", _unknown)
            : !_runtimes.TryGet(out IReadOnlyList<RuntimeFacts>? runtimes) || runtimes.Count == 0 ? null
            : Known.Read(new ManagedFacts
            {
                Runtime = runtimes[0],
                Locks = Known.Read<IReadOnlyList<LockFacts>>([.. _locks.Values.Where(held => held.Id.Kind.IsManaged())]),
                Waits = Known.Read<IReadOnlyList<WaitFacts>>([.. _waits.Where(wait => wait.Lock.Kind.IsManaged())]),
                Tasks = Known.Derived(new TaskGraphFacts { Waits = [], Tasks = [] }),
                UiThreads = Known.Derived<IReadOnlyList<UiThreadFacts>>([]),
            });

    private Known<T> Fact<T>(string what, T value)
        where T : notnull
        => _unknown is null ? Known.Read(value) : Known.Unknown<T>(what, _unknown);
}
