using HangTriage.Facts;

namespace HangTriage.Cli;

/// <summary>The facts of a process that never ran: two threads wait for each other's locks, and an async method for a semaphore.</summary>
internal static class SmallCase
{
    private const string None = "this process never ran";

    private static readonly ThreadId s_one = new(1);
    private static readonly ThreadId s_two = new(2);
    private static readonly LockId s_first = new(LockKind.Monitor, new Address(0x1000));
    private static readonly LockId s_second = new(LockKind.Monitor, new Address(0x2000));

    public static ProcessSnapshot Snapshot() => new()
    {
        Target = Target(),
        Modules = Known.Read<IReadOnlyList<ModuleFacts>>([]),
        Threads = Known.Read<IReadOnlyList<ThreadFacts>>([Thread(s_one, 0), Thread(s_two, 1)]),
        Managed = Known.Read(Managed()),
        Gaps = [],
    };

    private static TargetFacts Target() => new()
    {
        Kind = TargetKind.ElfCore,
        Os = TargetOs.Linux,
        Architecture = TargetArchitecture.X64,
        OsBuild = Known.Unknown<uint>("build", None),
        Pid = Known.Read(1u),
        ProcessName = Known.Read("Small"),
        ProcessorCount = Known.Read(1u),
        StartedAt = Known.Unknown<DateTimeOffset>("start", None),
        CapturedAt = Known.Unknown<DateTimeOffset>("time", None),
        Runtimes = Known.Read<IReadOnlyList<RuntimeFacts>>([Runtime()]),
    };

    private static RuntimeFacts Runtime() => new("CoreCLR", Known.Read("10.0.0"));

    private static ThreadFacts Thread(ThreadId id, int index) => new()
    {
        OsId = id,
        Index = index,
        ManagedId = index + 1,
        Name = Known.Read(string.Empty),
        Cpu = Known.Unknown<CpuTime>("processor time", None),
        StartedAt = Known.Unknown<DateTimeOffset>("start", None),
        StartAddress = Known.Unknown<Address>("start address", None),
        Stack = new StackFacts([Frame(1, FrameKind.Managed, "System.Threading.Monitor.Enter"), Frame(2, FrameKind.Managed, "Small.Program.Main")], null),
        SystemCall = Known.Read(new SystemCallFacts(Known.Read(202u), Known.Derived("futex")) { HasTimeout = false }),
        IsInSystemCall = Known.Read(true),
    };

    private static FrameFacts Frame(ulong place, FrameKind kind, string method) => new()
    {
        Ip = new Address(0x7000 + place),
        Sp = new Address(0x9000 + (place * 0x10)),
        Kind = kind,
        Trust = Trust.Derived,
        Module = "Small.dll",
        Method = method,
        MethodOffset = place,
        Source = new SourceLine("Small/Program.cs", 1),
    };

    private static ManagedFacts Managed() => new()
    {
        Runtime = Runtime(),
        Locks = Known.Read<IReadOnlyList<LockFacts>>([Held(s_first, s_one), Held(s_second, s_two)]),
        Waits = Known.Read<IReadOnlyList<WaitFacts>>([Wait(s_one, s_second), Wait(s_two, s_first)]),
        Tasks = Known.Read(new TaskGraphFacts { Waits = [], Tasks = [] }),
        UiThreads = Known.Read<IReadOnlyList<UiThreadFacts>>([]),
        Flows = Known.Read(new FlowsFacts { Groups = [Flow()], Suspended = 1, Omitted = 0, Unreachable = 0, Unreadable = 0 }),
    };

    private static LockFacts Held(LockId id, ThreadId owner) => new()
    {
        Id = id,
        Name = Known.Read("Small.Gate"),
        Field = Known.Read("Small.Program._gate"),
        IsHeld = Known.Read(true),
        Owner = Known.Derived(owner),
        OwnerHasEnded = false,
        Recursion = Known.Read(1u),
        WaiterCount = Known.Read(1u),
    };

    private static WaitFacts Wait(ThreadId thread, LockId @lock) => new()
    {
        Thread = thread,
        Lock = @lock,
        Kind = WaitKind.Acquire,
        Timeout = Known.Read(Timeout.InfiniteTimeSpan),
        Trust = Trust.Read,
        Source = "ThreadBlockingInfo",
    };

    private static FlowGroup Flow() => new()
    {
        Method = "Small.Program.GetAsync",
        Await = 0,
        Count = 1,
        State = FlowState.Suspended,
        Waits = new FlowWait { Kind = FlowWaitKind.Semaphore, Address = new Address(0x3000), Entries = new SemaphoreEntries(0, 1) },
        AwaitedBy = ["Small.Program.RunAsync"],
        Root = FlowRoot.Static,
        Sample = new Address(0x4000),
    };
}
