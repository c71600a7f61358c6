using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;
using HangTriage.Tests.Support.Facts;
using ThreadActivity = HangTriage.Rules.Threads.ThreadActivity;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>Results as rules give them, built by hand, for reports to write.</summary>
internal static class SampleResults
{
    public const string HostileText = "<script>alert(1)</script>|`x`*y*_z_[l](http://e.x)\u001b[2J\r\n# h\u202e\u0007https://e.x <Main>$ List<T> &copy; ~~s~~ $1$ \\";

    private static readonly TimeSpan s_age = TimeSpan.FromMinutes(135);

    public static RuleInfo SpinnerRule { get; } = new(
        "HT3001", "loader lock held by a spinner", "A thread that holds the loader lock spins while others wait for the loader.");

    public static RuleInfo MonitorRule { get; } = new(
        "HT1001", "managed lock cycle", "Threads wait in a circle for monitors or Locks that the next one holds.");

    public static Observation AnObservation { get; } = new() { Rule = MonitorRule, Pattern = Pattern.ManagedLockCycle, Title = "seen", Signature = "seen" };

    /// <summary>Every kind of verdict, with and without gaps, failed rules and hostile names.</summary>
    public static IEnumerable<TriageResult> All()
        => Enum.GetValues<VerdictKind>().Select(OfKind).Concat([Spinner(), Deadlock(), NotHung(), Inconclusive(), WithFailedRule(), WithFlows(), Crash(), Hostile(HostileText)]);

    public static TriageResult OfKind(VerdictKind kind) => Spinner() with { Verdict = Spinner().Verdict with { Kind = kind } };

    /// <summary>Thread 107 waits for the loader; thread 114 holds it and spins.</summary>
    public static TriageResult Spinner()
    {
        ProcessSnapshot facts = Windows().Gap("loader work queue", "its layout is not known for build 14393").LoaderLock(0x6710)
            .Thread(0x1000, new ThreadOptions { Cpu = new(Ms(812), Ms(328)) }, "win32u!NtUserMsgWaitForMultipleObjectsEx+0x14", "user32!RealMsgWaitForMultipleObjectsEx+0x1e", "app+0x1a20")
            .Thread(
                0x11ac,
                new ThreadOptions { Index = 107, Cpu = new(Ms(15), Ms(31)) },
                "ntdll!NtWaitForSingleObject+0x14", "ntdll!LdrpDrainWorkQueue+0xd8", "ntdll!LdrLoadDll+0x8b", "KERNELBASE!LoadLibraryExW+0x170", "libiomp5md!mkl_malloc+0x52")
            .Thread(
                0x6710,
                new ThreadOptions
                {
                    Index = 114,
                    Name = "OMP worker",
                    Cpu = new(new TimeSpan(0, 1, 2, 3, 4), new TimeSpan(0, 1, 12, 25, 667)),
                    StackStopped = new Gap("rest of the stack", "its memory is not in the dump"),
                },
                "ntdll!NtYieldExecution+0x14", "KERNELBASE!SwitchToThread+0x1d", "mkl_core+0x4711", "ntdll!LdrShutdownThread+0x1a2", "ntdll!RtlExitUserThread+0x3e")
            .Thread(0x11cc, new ThreadOptions { Index = 115 }, "ntdll!NtWaitForWorkViaWorkerFactory+0x14", "ntdll!TppWorkerThread+0x2bc")
            .Thread(0x11d0, new ThreadOptions { Index = 116 }, "ntdll!NtWaitForWorkViaWorkerFactory+0x14", "ntdll!TppWorkerThread+0x2bc").Build();
        Party owner = Thread(facts, 114) with { Role = "holds the loader lock and spins: SwitchToThread in mkl_core+0x4711 during thread detach" };
        Party waiter = Thread(facts, 107);
        Party loader = LockCalled("the loader lock", SnapshotBuilder.TheLoaderLock);
        Finding finding = new()
        {
            Rule = SpinnerRule,
            Kind = VerdictKind.SpinningOwner,
            Confidence = Confidence.Likely,
            ConfidenceReason = "lock, owner, spin and victim are all seen; what the loop waits for is not",
            Title = "Thread 107 (0x11ac) waits for the loader; thread 114 (0x6710) \"OMP worker\", which holds the loader lock, spins (SwitchToThread in mkl_core+0x4711 during thread detach) and has burned 2 h 14 min of CPU",
            Culprit = owner,
            Chain = [new ChainLink(waiter, "waits for", loader), new ChainLink(loader, "is held by", owner)],
            Victims = [waiter with { Role = "waits in LdrLoadDll for the load owner" }],
            Evidence =
            [
                new Evidence("the loader lock is held by thread 114 (0x6710) \"OMP worker\"; it counts 0 waiters, since on Windows 10 and later a load waits for the load owner inside the loader and not on this lock", "loader lock", Trust.Read) { Thread = new ThreadId(0x6710), Address = SnapshotBuilder.TheLoaderLock.Address },
                new Evidence("thread 114 (0x6710) is in SwitchToThread, called from mkl_core+0x4711", "stack", Trust.Derived) { Thread = new ThreadId(0x6710), Frame = "ntdll!NtYieldExecution+0x14" },
                new Evidence("thread 114 (0x6710) has used 2 h 14 min of CPU in the 2 h 15 min since it started", "thread times", Trust.Read) { Thread = new ThreadId(0x6710) },
            ],
            Contradictions = [new Evidence("thread 107 is not marked as waiting for the loader lock", "thread environment block", Trust.Assumed)],
            Gaps = [new Gap("loop in mkl_core", "its code bytes are not in the dump")],
            Advice =
            [
                "Look at the loop in mkl_core+0x4711: what it waits for must not need the loader, because it runs during thread detach.",
                "Do not wait for other threads in DllMain or in thread-exit callbacks; stop the library's threads by its own shutdown call first.",
            ],
            Signature = "HT3001/ntdll!NtYieldExecution<kernelbase!SwitchToThread<mkl_core<ntdll!LdrShutdownThread<ntdll!RtlExitUserThread",
        };
        return Result(facts, finding, new Dictionary<int, (ThreadActivity, string?)>
        {
            [0] = (ThreadActivity.WaitsForMessage, null),
            [107] = (ThreadActivity.WaitsForLoader, "the loader, whose load owner is thread 114 (0x6710)"),
            [114] = (ThreadActivity.Yielding, null),
            [115] = (ThreadActivity.IdlePoolWorker, null),
            [116] = (ThreadActivity.IdlePoolWorker, null),
        });
    }

    /// <summary>Two managed threads, each holding what the other wants.</summary>
    public static TriageResult Deadlock()
    {
        LockId first = SnapshotBuilder.Monitor(0x7f0000001018);
        LockId second = SnapshotBuilder.Monitor(0x7f0000001030);
        ProcessSnapshot facts = Linux()
            .Thread(0x1000, "App.Program.<Main>$(System.String[])")
            .Thread(0x100c, new ThreadOptions { Index = 3, Name = "transfer" }, "[HelperMethodFrame_1OBJ]", "App.Account.Move(App.Account, System.Collections.Generic.List`1<Int32>)")
            .Thread(0x1010, new ThreadOptions { Index = 4, Name = "audit" }, "[HelperMethodFrame_1OBJ]", "App.Audit.Run()")
            .Lock(first, 0x100c).Lock(second, 0x1010).Waits(0x100c, second).Waits(0x1010, first).Build();
        Party transfer = Thread(facts, 3);
        Party audit = Thread(facts, 4);
        Party a = LockCalled("monitor of App.Account", first);
        Party b = LockCalled("monitor of App.Audit", second);
        Finding finding = new()
        {
            Rule = MonitorRule,
            Kind = VerdictKind.Deadlock,
            Confidence = Confidence.Certain,
            ConfidenceReason = "every wait and every owner was read from the runtime",
            Title = "2 threads wait for each other in a circle",
            Culprit = transfer,
            Chain = [new ChainLink(transfer, "waits for", b), new ChainLink(b, "is held by", audit), new ChainLink(audit, "waits for", a), new ChainLink(a, "is held by", transfer)],
            Evidence = [new Evidence("thread 3 waits for the monitor of App.Audit", "ThreadBlockingInfo", Trust.Read) { Thread = transfer.Thread }],
            Advice = ["Let every thread take these locks in one order."],
            Signature = "HT1001/App.Account.Move/App.Audit.Run",
        };
        return Result(facts, finding, new Dictionary<int, (ThreadActivity, string?)>
        {
            [3] = (ThreadActivity.WaitsForLock, "monitor of App.Audit, held by thread 4"),
            [4] = (ThreadActivity.WaitsForLock, "monitor of App.Account, held by thread 3"),
        });
    }

    public static TriageResult NotHung()
        => Result(Linux().Thread(0x1000, "libc!poll+0x4f").Build(), null, []) with
        {
            Verdict = Empty(VerdictKind.NotHung, "Nobody waits for anybody"),
        };

    /// <summary>The dump was written because thread 114 crashed.</summary>
    public static TriageResult Crash()
    {
        TriageResult spinner = Spinner();
        TargetFacts target = spinner.Snapshot.Target with { Crash = new CrashFacts(0xC0000005, "access violation", new ThreadId(0x6710)) };
        return spinner with { Case = Case.Of(spinner.Snapshot with { Target = target }) };
    }

    /// <summary>Nothing at all is known.</summary>
    public static TriageResult Inconclusive()
        => Result(UnknownProcess.Of(TargetOs.Windows, "the dump holds no memory"), null, []) with
        {
            Verdict = Empty(VerdictKind.Inconclusive, "The threads are not in the input"),
            Rules = [new RuleReport(SpinnerRule, RuleOutcome.Blind(new Gap("loader lock", "the dump holds no memory"))), new RuleReport(MonitorRule, RuleOutcome.NotApplicable("the process runs no .NET"))],
        };

    public static TriageResult WithFailedRule()
        => NotHung() with
        {
            Rules = [new RuleReport(SpinnerRule, RuleOutcome.Clean()), new RuleReport(MonitorRule, RuleOutcome.Failed(new InvalidOperationException("no such lock")))],
        };

    /// <summary>Async methods that wait for one thing of each kind, more than a text report shows.</summary>
    public static TriageResult WithFlows()
    {
        SnapshotBuilder facts = Linux().Thread(0x1000, "libc!poll+0x4f")
            .Flow(
                "App.CatalogCache.GetAsync",
                new FlowWait { Kind = FlowWaitKind.Semaphore, Address = new Address(0x7f2000000010), Type = "System.Threading.SemaphoreSlim", Label = "App.CatalogCache.gate", Entries = new SemaphoreEntries(0, 1), EndsByTimer = true, SetFor = TimeSpan.FromMinutes(2), EndsByToken = true },
                40,
                "App.Shop.ShowAsync", "App.Server.<RunAsync>b__3_0")
            .Flow("App.Shop.ShowAsync", new FlowWait { Kind = FlowWaitKind.AsyncMethod, Label = "App.CatalogCache.GetAsync", Objects = 40 }, 40)
            .Flow("App.Feed.WriteAsync", new FlowWait { Kind = FlowWaitKind.Channel, Label = "App.Feed.items", Queue = new FlowQueue(FlowQueueEnd.Writer, 2, 2, false) })
            .Flow("App.Feed.ReadAsync", new FlowWait { Kind = FlowWaitKind.Task, Label = "reply", Objects = 3, Via = "System.IO.StreamReader.ReadAsync" }, 3);
        foreach (FlowWaitKind kind in Enum.GetValues<FlowWaitKind>())
        {
            facts.Flow($"App.Each.{kind}Async", new FlowWait { Kind = kind, Type = "App.Thing", EndsByTimer = kind == FlowWaitKind.Delay, SetFor = kind == FlowWaitKind.Delay ? TimeSpan.FromSeconds(90) : null });
        }

        facts.Flow("System.IO.StreamReader.ReadAsync", new FlowWait { Kind = FlowWaitKind.InputOutput }, 1, "App.Feed.ReadAsync");
        return Result(
            Enumerable.Range(1, 5).Aggregate(facts, (all, number) => all.Flow($"App.Many.Method{number}Async", new FlowWait { Kind = FlowWaitKind.WhenAll }, number)).Build(),
            null,
            []) with
        { Verdict = Empty(VerdictKind.NotHung, "Nobody waits for anybody") };
    }

    /// <summary>The text stands wherever a target can put one.</summary>
    public static TriageResult Hostile(string text)
    {
        TriageResult spinner = Spinner();
        Party party = Party.OfThread(new ThreadId(0x6710), text) with { Role = text };
        Party held = Party.OfLock(SnapshotBuilder.Monitor(0x7f0000001018), text);
        ProcessSnapshot facts = Windows().Gap(text, text)
            .Thread(0x6710, new ThreadOptions { Index = 114, Name = text, StackStopped = new Gap(text, text) }, text, text)
            .Thread(0x1004, new ThreadOptions { Index = 1, Name = text }, text)
            .Flow(text, new FlowWait { Kind = FlowWaitKind.Semaphore, Label = text, Type = text, Via = text }, 2, text).Build();
        return spinner with
        {
            Case = Case.Of(facts with { Target = facts.Target with { ProcessName = Known.Read(text), Runtimes = Known.Read<IReadOnlyList<RuntimeFacts>>([new RuntimeFacts(text, Known.Read(text))]) } }),
            Threads = [.. facts.Threads.Value.Select(thread => new ThreadAssessment(thread, ThreadActivity.Running, Trust.Scanned, null) { WaitsFor = new WaitTarget(WaitTargetKind.Lock, text) })],
            Rules = [new RuleReport(SpinnerRule, RuleOutcome.Failed(new InvalidOperationException(text)))],
            Findings = [spinner.Findings[0] with { Title = text + " too" }],
            Verdict = spinner.Verdict with
            {
                Title = text,
                ConfidenceReason = text,
                Signature = text,
                Culprit = party,
                Chain = [new ChainLink(party, text, held), new ChainLink(held, text, party)],
                Victims = [party],
                Evidence = [new Evidence(text, text, Trust.Read) { Frame = text }],
                Contradictions = [new Evidence(text, text, Trust.Read) { Frame = text }],
                Gaps = [new Gap(text, text)],
                Advice = [text],
            },
        };
    }

    private static TriageResult Result(ProcessSnapshot facts, Finding? finding, Dictionary<int, (ThreadActivity State, string? WaitsFor)> states) => new()
    {
        Case = Case.Of(facts),
        Verdict = finding is null ? Empty(VerdictKind.NotHung, string.Empty) : new Verdict
        {
            Kind = finding.Kind,
            Confidence = finding.Confidence,
            ConfidenceReason = finding.ConfidenceReason,
            Title = finding.Title,
            Rule = finding.Rule,
            Signature = finding.Signature,
            Culprit = finding.Culprit,
            Chain = finding.Chain,
            Victims = finding.Victims,
            Evidence = finding.Evidence,
            Contradictions = finding.Contradictions,
            Gaps = finding.Gaps,
            Advice = finding.Advice,
        },
        Findings = finding is null ? [] : [finding],
        Rules =
        [
            new RuleReport(MonitorRule, Outcome(MonitorRule, finding)),
            new RuleReport(SpinnerRule, Outcome(SpinnerRule, finding)),
        ],
        Threads = !facts.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads) ? [] :
        [
            .. threads.Select(thread => states.TryGetValue(thread.Index, out (ThreadActivity State, string? WaitsFor) known)
                ? new ThreadAssessment(thread, known.State, Trust.Derived, thread.Stack.Frames[0]) { WaitsFor = known.WaitsFor is null ? null : new WaitTarget(WaitTargetKind.Lock, known.WaitsFor) }
                : new ThreadAssessment(thread, ThreadActivity.Unknown, Trust.Derived, null)),
        ],
    };

    private static RuleOutcome Outcome(RuleInfo rule, Finding? finding)
        => finding?.Rule == rule ? RuleOutcome.Of([Seen(finding)]) : RuleOutcome.Clean();

    private static Observation Seen(Finding finding)
        => new() { Rule = finding.Rule, Pattern = Pattern.None, Title = finding.Title, Signature = finding.Signature };

    private static Verdict Empty(VerdictKind kind, string title) => new()
    {
        Kind = kind,
        Confidence = kind == VerdictKind.Inconclusive ? null : Confidence.Likely,
        ConfidenceReason = "no rule found anything",
        Title = title,
        Signature = kind.ToString(),
    };

    private static SnapshotBuilder Windows() => SnapshotBuilder.Windows().RunningFor(s_age);

    private static SnapshotBuilder Linux() => SnapshotBuilder.Linux().RunningFor(s_age);

    private static Party Thread(ProcessSnapshot facts, int index)
    {
        ThreadFacts thread = facts.Threads.Value.Single(thread => thread.Index == index);
        string name = thread.Name.Value.Length > 0 ? $" \"{thread.Name.Value}\"" : string.Empty;
        Claim number = Claim.Of(new ClaimPart($"thread {index} ({thread.OsId})") { Thread = thread.OsId });
        return Party.OfThread(thread.OsId, $"{number}{name}");
    }

    private static Party LockCalled(string name, LockId id)
        => Party.OfLock(id, $"{name} ({Claim.Of(new ClaimPart(id.Address.ToString()) { Lock = id })})");

    private static TimeSpan Ms(double milliseconds) => TimeSpan.FromMilliseconds(milliseconds);
}
