using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Who has entered a semaphore is judged by the end of what it calls and awaits.</summary>
public sealed class AsyncLockRuleTests
{
    private const string Get = "Shop.Handler.GetAsync";
    private const string Load = "Shop.Store.LoadAsync";
    private const ulong Gate = 0x9100;
    private const ulong Inner = 0x9200;

    [Theory]
    [InlineData(FlowWaitKind.Task, FlowRoot.Timer, false)]
    [InlineData(FlowWaitKind.Task, FlowRoot.Thread, false)]
    [InlineData(FlowWaitKind.Task, FlowRoot.PoolQueue, false)]
    [InlineData(FlowWaitKind.Channel, FlowRoot.Timer, false)]
    [InlineData(FlowWaitKind.Task, FlowRoot.Static, true)]
    [InlineData(FlowWaitKind.Task, null, true)]
    public void The_holder_of_an_async_lock_awaits_another_method_which_waits_for_what_a_timer_or_a_thread_may_bring(
        FlowWaitKind kind, FlowRoot? by, bool isLost)
        => Expect(isLost, Waiting(at: 0).Flow(Calls(Get, at: 1, Load)).Flow(Group(Load, at: 0, Ends(kind, by), [Get])));

    // What a method awaits before its wait for the lock says nothing of who has the lock.
    [Theory]
    [InlineData(0, true)]
    [InlineData(2, false)]
    public void A_method_that_is_awaited_before_the_wait_for_the_lock_holds_no_entry(int at, bool isLost)
        => Expect(
            isLost,
            Waiting(at: 1).Flow(Calls(Get, at, Load)).Flow(Group(Load, at: 0, Ends(FlowWaitKind.Task, FlowRoot.Timer), [Get])));

    // A timer leads to the object that has the semaphore, as timers lead to much in a web service.
    [Fact]
    public void A_holder_that_comes_to_the_same_lock_once_more_waits_for_itself()
        => Expect(true, Nested(Gate));

    // What a thread in the method does there can be unknown: a call into the runtime looks like a wait.
    [Theory]
    [InlineData("Shop.Handler+<GetAsync>d__5.MoveNext", 0x12, false)]
    [InlineData("Shop.Handler+<GetAsync>d__5.MoveNext", 0x11, true)]
    [InlineData("Shop.Handler+<ListAsync>d__6.MoveNext", 0x12, true)]
    public void A_thread_in_the_method_that_leads_to_the_semaphore_may_hold_it(string method, uint reaching, bool isLost)
        => Expect(isLost, SnapshotBuilder.Linux()
            .Thread(0x10, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Thread(0x11, "System.Net.Sockets.Socket.Accept", "Shop.Server.Run")
            .Running("thread 0x11")
            .Thread(0x12, "System.Threading.WaitHandle.WaitOneNoCheck", "Shop.Pages.Next", method)
            .Flow(Group(Get, 0, Takes(Gate) with { Reach = Ends(FlowWaitKind.Task, FlowRoot.Thread, reaching).Reach }, [])
                with { Count = 40 }));

    // Another method of the same object has the lock, and gives it back behind a delay.
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Who_surely_gives_an_entry_back_in_another_method_holds_it(bool hasSignaller)
    {
        WaitReach reach = new()
        {
            By = FlowRoot.Timer,
            Holders = [],
            Signaller = hasSignaller ? new ReachSignaller { Kind = FlowRoot.Timer } : null,
        };

        Expect(!hasSignaller, SnapshotBuilder.Linux()
            .Thread(0x10, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Thread(0x11, "System.Net.Sockets.Socket.Accept", "Shop.Server.Run")
            .Running("thread 0x11")
            .Flow(Group(Get, 0, Takes(Gate) with { Reach = reach }, []) with { Count = 40 }));
    }

    // The holder waits for the process's own server, whose method that has the connection is in a delay, or waits itself.
    [Theory]
    [InlineData(FlowWaitKind.Delay, false)]
    [InlineData(FlowWaitKind.Task, true)]
    public void A_holder_that_the_process_itself_answers_continues_as_its_own_method_does(FlowWaitKind answering, bool isLost)
    {
        const string Address = "10.0.0.7:5432";
        FlowWait answers = new() { Kind = answering, EndsByTimer = answering == FlowWaitKind.Delay };
        FlowWait asks = new() { Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Socket(Address) };
        SocketFacts listener = SnapshotBuilder.Listener(Address);

        Expect(
            isLost,
            Waiting(at: 0)
                .Flow(Calls(Get, at: 1, Load))
                .Flow(Group(Load, at: 0, asks, [Get]))
                .Flow(Group("Shop.Bank.AcceptAsync", at: 0, new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = listener }, []))
                .Flow(Group("Shop.Bank.AnswerAsync", at: 0, answers, []) with { AcceptedAt = Address }));
    }

    // Other work of the same worker continues, and a token could cancel the wait: neither gives the entry back.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Who_has_taken_the_one_entry_and_awaits_who_waits_for_it_waits_for_himself(bool hasToken)
    {
        FlowTaker taker = new(new Address(0xb700), Load, "gate");
        FlowWait waits = Takes(Gate) with { Taker = taker, EndsByToken = hasToken };

        TriageResult result = Triage.Judge(SnapshotBuilder.Linux()
            .Thread(0x10, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Running("a timer")
            .Flow(Group(Get, 0, waits, ["Shop.Worker.RunAsync"]))
            .Flow(Group("Shop.Worker.RunAsync", 1, new FlowWait { Kind = FlowWaitKind.Delay, EndsByTimer = true }, []))
            .Build());

        Assert.Equal((VerdictKind.Deadlock, Confidence.Likely), (result.Verdict.Kind, result.Verdict.Confidence));
        Assert.Equal(taker.Flow, result.Verdict.Culprit?.Task);
    }

    // Who has what gives the entry back is known, whatever his method is called.
    [Theory]
    [InlineData(FlowWaitKind.Delay, false)]
    [InlineData(FlowWaitKind.Task, true)]
    public void Who_has_the_pass_is_judged_by_what_he_waits_for(FlowWaitKind kind, bool isLost)
    {
        FlowWait wait = Ends(kind, FlowRoot.Static) with { EndsByTimer = !isLost };
        FlowGroup holder = Group("Shop.Audit.CountAsync", at: 0, wait, ["Shop.Audit.RunAsync"]);
        FlowWait waits = Takes(Gate) with
        {
            Holder = new FlowTaker(new Address(0xb700), "Shop.Audit.RunAsync", "pass") { End = holder.Sample },
        };

        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(0x10, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Flow(Group(Get, 0, waits, []) with { Count = 40 })
            .Flow(holder);

        Expect(isLost, builder);
        Assert.Equal(isLost, Triage.Judge(builder.Build()).Verdict.Title.Text.Contains(
            "Audit.RunAsync has entered it, in which Audit.CountAsync", StringComparison.Ordinal));
    }

    [Fact]
    public void Who_has_the_semaphore_by_another_name_waits_for_himself()
    {
        FlowWait waits = Takes(Gate) with { Taker = new FlowTaker(new Address(0xb700), Get, "first") { IsItself = true } };

        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux()
            .Thread(0x10, "System.Threading.Thread.Sleep", "Shop.Program.Main").Flow(Group(Get, 1, waits, [])).Build()).Verdict;

        Assert.Equal(VerdictKind.Deadlock, verdict.Kind);
        Assert.EndsWith("Handler.GetAsync has taken that, and takes it again", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_holder_that_waits_for_another_lock_whose_holder_can_continue_is_no_hang()
        => Expect(false, Nested(Inner).Flow(Group(Load, at: 1, Ends(FlowWaitKind.Task, FlowRoot.Timer), ["Shop.Report.RunAsync"])));

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Two_async_locks_that_are_taken_crosswise_are_in_nobodys_hands(bool isCrosswise)
    {
        const string Book = "Shop.Ledger.BookAsync";
        const string Close = "Shop.Ledger.CloseAsync";
        const string Count = "Shop.Ledger.CountAsync";
        FlowWait counts = isCrosswise ? Takes(Gate) : Ends(FlowWaitKind.Task, FlowRoot.Timer);

        Expect(
            isCrosswise,
            Waiting(at: 0).Flow(Calls(Get, at: 1, Book)).Flow(Group(Book, at: 0, Takes(Inner), [Get]))
                .Flow(Calls(Book, at: 1, Count) with { AwaitedBy = [Close] }).Flow(Group(Count, at: 0, counts, [Book, Close])));
    }

    private static void Expect(bool isLost, SnapshotBuilder builder)
    {
        TriageResult result = Triage.Judge(builder.Build());

        Assert.Equal(isLost, result.Findings.Any(finding => finding.Rule.Id == "HT2011"));
        Assert.Equal(isLost, result.Verdict.Kind == VerdictKind.NeverCompleted);
    }

    private static SnapshotBuilder Nested(ulong second)
        => Waiting(at: 0).Flow(Calls(Get, at: 1, Load)).Flow(Group(Load, at: 0, Takes(second), [Get]));

    // Forty requests of a web service that is at work; a thread serves connections.
    private static SnapshotBuilder Waiting(int at)
        => SnapshotBuilder.Linux()
            .Thread(0x10, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Thread(0x11, "System.Net.Sockets.Socket.Accept", "Shop.Server.Run")
            .Running("thread 0x11")
            .Flow(Group(Get, at, Takes(Gate), []) with { Count = 40 });

    private static FlowGroup Calls(string method, int at, string callee)
        => Group(method, at, new FlowWait { Kind = FlowWaitKind.AsyncMethod, Label = callee }, []);

    private static FlowWait Takes(ulong semaphore) => new()
    {
        Kind = FlowWaitKind.Semaphore,
        Address = new Address(semaphore),
        Label = "Shop.Handler._gate",
        Entries = new SemaphoreEntries(0, 1),
        Reach = new WaitReach { By = FlowRoot.Timer, Holders = [] },
    };

    private static FlowWait Ends(FlowWaitKind kind, FlowRoot? by, uint thread = 0x11) => new()
    {
        Kind = kind,
        Address = new Address(0x7a00),
        Reach = new WaitReach { By = by, Thread = by == FlowRoot.Thread ? new ThreadId(thread) : null, Holders = [] },
    };

    private static FlowGroup Group(string method, int at, FlowWait waits, IReadOnlyList<string> awaitedBy) => new()
    {
        Method = method,
        Await = at,
        Count = 1,
        State = FlowState.Suspended,
        Waits = waits,
        AwaitedBy = awaitedBy,
        Root = FlowRoot.Static,
        Sample = new Address(0x8000 + (ulong)((method.Length * 0x100) + at)),
    };
}
