using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Async methods that wait without a known end keep a process without a blocked thread from being called healthy.</summary>
public sealed class FlowSuspectTests
{
    private static readonly FlowWait s_promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) };
    private static readonly FlowWait s_delay = new() { Kind = FlowWaitKind.Delay, EndsByTimer = true };
    private static readonly FlowWait s_full = new() { Kind = FlowWaitKind.Channel, Queue = new FlowQueue(FlowQueueEnd.Writer, 2, 2, false) };

    [Fact]
    public void A_promise_that_a_method_of_the_program_waits_for_matters()
        => Expect(Weight.AsyncTask, VerdictKind.Inconclusive, Idle().Flow("App.Client.AskAsync", s_promise));

    [Fact]
    public void A_promise_with_a_timeout_or_a_token_is_known_to_end()
    {
        Expect(null, VerdictKind.NotHung, Idle().Flow("App.Client.AskAsync", s_promise with { EndsByTimer = true }));
        Expect(null, VerdictKind.NotHung, Idle().Flow("App.Client.AskAsync", s_promise with { EndsByToken = true }));
    }

    [Theory]
    [InlineData(30, null)]
    [InlineData(31, Weight.AsyncTask)]
    public void A_timeout_of_hours_is_as_good_as_none(int minutes, Weight? weight)
        => Expect(
            weight,
            weight is null ? VerdictKind.NotHung : VerdictKind.Inconclusive,
            Idle().Flow("App.Client.AskAsync", s_promise with { EndsByTimer = true, SetFor = TimeSpan.FromMinutes(minutes) }));

    [Theory]
    [InlineData("System.Threading.Tasks.Task<System.Net.HttpListenerContext>", VerdictKind.NotHung)]
    [InlineData("System.Threading.Tasks.Task<App.Context>", VerdictKind.Inconclusive)]
    public void Who_waits_for_the_next_request_of_a_listener_idles(string type, VerdictKind expected)
        => Assert.Equal(
            expected, Triage.Judge(Idle().Flow("App.StatusPage.ServeAsync", s_promise with { Type = type }).Build()).Verdict.Kind);

    [Fact]
    public void A_delay_of_hours_is_known_to_end()
        => Expect(null, VerdictKind.NotHung, Idle().Flow("App.Tick.RunAsync", s_delay with { SetFor = TimeSpan.FromHours(8) }));

    // Main waits for what is tried again, or it is what a service of a host does.
    [Theory]
    [InlineData("System.Net.Sockets.SocketException", "App.Program.Main", Weight.AsyncTask)]
    [InlineData("System.Net.Sockets.SocketException", HostCalls.RunOfService, Weight.AsyncTask)]
    [InlineData("System.Net.Sockets.SocketException", "App.Jobs.RunAsync", null)]
    [InlineData(null, "App.Program.Main", null)]
    public void A_delay_behind_a_failure_matters_where_it_is_all_that_is_done(string? failure, string caller, Weight? weight)
        => Expect(
            weight,
            weight is null ? VerdictKind.NotHung : VerdictKind.Inconclusive,
            Idle().Flow(Waiting(s_delay, caller) with { TriesAgainAfter = failure }));

    // A service that was the only one to bring it has failed, or ended; another may have come to its end as it was meant to.
    [Theory]
    [InlineData("App.Feed.ExecuteAsync", "System.FormatException", HostCalls.RunOfService, VerdictKind.NeverCompleted)]
    [InlineData("App.Feed.ExecuteAsync", null, HostCalls.RunOfService, VerdictKind.NeverCompleted)]
    [InlineData("App.Clock.ExecuteAsync", null, HostCalls.RunOfService, VerdictKind.Inconclusive)]
    [InlineData(null, null, HostCalls.RunOfService, VerdictKind.Inconclusive)]
    [InlineData(null, null, "App.Jobs.RunAsync", VerdictKind.NotHung)]
    public void What_nobody_brings_any_more_is_lost_where_a_service_has_ended(
        string? service, string? exception, string caller, VerdictKind expected)
    {
        WaitReach reach = new() { By = FlowRoot.Timer, IsGivenByNobody = true, Givers = ["App.Feed+<ExecuteAsync>d__2.MoveNext"], Holders = [] };
        FlowQueue queue = new(FlowQueueEnd.Reader, 0, 16, false);
        FlowWait empty = new() { Kind = FlowWaitKind.Channel, EndsByToken = true, Queue = queue, Reach = reach };
        SnapshotBuilder builder = Idle().Flow(Waiting(empty, caller));
        builder = service is null ? builder : builder.EndedService(service, exception);

        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        string ended = $"the host's service Feed.ExecuteAsync has {(exception is null ? "ended" : "failed with FormatException")}";
        Assert.Equal(expected == VerdictKind.NeverCompleted, verdict.Title.Text.Contains(ended, StringComparison.Ordinal));
    }

    // What the heap says of itself is lost, though a host is there none of whose services has ended.
    [Fact]
    public void What_nobody_can_give_is_lost_where_no_service_of_the_host_has_ended()
    {
        WaitReach reach = new() { IsGivenByNobody = true, IsInStatic = true, Holders = [] };
        FlowWait promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00), Reach = reach };

        TriageResult result = Triage.Judge(Idle().Flow(Waiting(promise, "App.Jobs.RunAsync")).Build());

        Assert.DoesNotContain(result.Rules, rule => rule.Outcome.Kind == RuleOutcomeKind.Failed);
    }

    // Who comes back for more is a consumer at rest; who asks once is owed an answer.
    [Theory]
    [InlineData(FlowWaitKind.Channel, true, null)]
    [InlineData(FlowWaitKind.Channel, null, null)]
    [InlineData(FlowWaitKind.Channel, false, Weight.AsyncTask)]
    [InlineData(FlowWaitKind.Semaphore, true, Weight.None)]
    [InlineData(FlowWaitKind.Semaphore, false, Weight.AsyncLock)]
    public void Who_reads_once_or_waits_once_for_a_semaphore_matters(FlowWaitKind kind, bool? isInLoop, Weight? weight)
    {
        FlowWait wait = kind == FlowWaitKind.Channel
            ? new() { Kind = kind, Queue = new FlowQueue(FlowQueueEnd.Reader, 0, null, false) }
            : new() { Kind = kind, Entries = new SemaphoreEntries(0, int.MaxValue) };
        FlowGroup group = Waiting(wait, "App.Jobs.RunAsync") with { IsInLoop = isInLoop };

        Expect(weight, weight is null or Weight.None ? VerdictKind.NotHung : VerdictKind.Inconclusive, Idle().Flow(group));
    }

    private static FlowGroup Waiting(FlowWait waits, string caller) => new()
    {
        Method = "App.Store.ExecuteAsync",
        Await = 0,
        Count = 1,
        Source = new SourceLine("App/Store.cs", 10),
        State = FlowState.Suspended,
        Waits = waits,
        AwaitedBy = [caller],
        Root = FlowRoot.Timer,
        Sample = new Address(0x7c00),
    };

    // An answer that a library gives, that is no order to end, in a method that Main waits for through another.
    [Theory]
    [InlineData("System.Collections.Concurrent.ConcurrentDictionary.ContainsKey", PollTraits.HasExit, "App.Updater.PushAsync", Weight.AsyncTask)]
    [InlineData("System.Collections.Concurrent.ConcurrentDictionary.ContainsKey", PollTraits.HasExit | PollTraits.HasToken, "App.Updater.PushAsync", null)]
    [InlineData("System.Collections.Concurrent.ConcurrentDictionary.ContainsKey", PollTraits.None, "App.Updater.PushAsync", null)]
    [InlineData("App.IServer.get_IsRunning", PollTraits.HasExit, "App.Updater.PushAsync", null)]
    [InlineData("System.Collections.Concurrent.ConcurrentDictionary.ContainsKey", PollTraits.HasExit, null, null)]
    [InlineData("System.Collections.IEnumerator.MoveNext", PollTraits.HasExit, "App.Updater.PushAsync", null)]
    [InlineData("System.Collections.Generic.IEnumerator.get_Current", PollTraits.HasExit, "App.Updater.PushAsync", null)]
    public void A_method_that_asks_until_the_answer_is_another_matters_where_Main_waits_for_it(string call, PollTraits traits, string? caller, Weight? weight)
    {
        const ulong sample = 0x7b00;
        FlowGroup group = new()
        {
            Method = "App.Router.WaitForAckAsync",
            Await = 0,
            Count = 1,
            State = FlowState.Suspended,
            Waits = s_delay with { SetFor = TimeSpan.FromMilliseconds(50) },
            AwaitedBy = [.. new[] { caller }.OfType<string>(), "App.Program.Main"],
            Root = FlowRoot.Timer,
            Sample = new Address(sample),
        };
        PollFacts poll = new() { Flow = new Address(sample), Method = group.Method, Fields = ["App.Router._acks"], Calls = [call], Traits = traits };

        Expect(weight, weight is null ? VerdictKind.NotHung : VerdictKind.Inconclusive, Idle().Flow(group).Polls(poll));
    }

    [Theory]
    [InlineData(false, "App.Program.Main", Weight.AsyncTask)]
    [InlineData(true, "App.Program.Main", Weight.None)]
    [InlineData(null, "App.Program.Main", Weight.None)]
    [InlineData(false, "App.Feed.RunAsync", Weight.None)]
    public void One_promise_of_a_librarys_make_that_Main_awaits_matters(bool? isInLoop, string awaitedBy, Weight weight)
        => Expect(weight, weight == Weight.None ? VerdictKind.NotHung : VerdictKind.Inconclusive, Idle().Flow(Custom(isInLoop, awaitedBy)));

    [Fact]
    public void One_of_a_librarys_make_comes_where_another_of_the_method_is_past_it_and_moves()
        => Expect(
            Weight.None,
            VerdictKind.NotHung,
            Idle().Flow(Custom(false, "App.Program.Main")).Flow("App.Wire.SendAsync", s_delay, 1, "App.Wallet.PayAsync"));

    [Theory]
    [InlineData("App.Slots.UseAsync", Weight.None)]
    [InlineData("App.Other.WaitAsync", Weight.AsyncTask)]
    public void Those_that_take_turns_with_one_of_the_same_method_get_theirs(string holder, Weight weight)
        => Expect(
            weight,
            weight == Weight.None ? VerdictKind.NotHung : VerdictKind.Inconclusive,
            Idle().Flow("App.Slots.UseAsync", s_promise, 3).FlowReachedByTimer(0x7f1000000000).Flow(new FlowGroup
            {
                Method = holder, Await = 1, Count = 1, State = FlowState.Suspended, Waits = s_delay, AwaitedBy = [], Root = FlowRoot.Timer, Sample = new Address(0xb000),
            }));

    [Fact]
    public void What_Main_itself_awaits_keeps_the_process_alive()
        => Expect(null, VerdictKind.NotHung, Idle().Flow("App.Program.Main", s_promise));

    [Fact]
    public void A_host_that_was_not_asked_to_stop_idles_and_one_that_waits_for_its_services_does_not()
    {
        const string Run = "Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.RunAsync";
        Expect(null, VerdictKind.NotHung, Idle().Flow("App.Startup.WaitAsync", s_promise, 1, Run));
        Expect(Weight.AsyncTask, VerdictKind.NeverCompleted, Idle().Flow("App.Mail.StopAsync", s_promise, 1, "Microsoft.Extensions.Hosting.Internal.Host.StopAsync", Run));
        Expect(
            Weight.AsyncTask,
            VerdictKind.Inconclusive,
            Idle().Flow("App.Mail.StopAsync", s_promise, 1, "Microsoft.Extensions.Hosting.Internal.Host.StopAsync", Run).Flow("App.Tick.RunAsync", s_delay));
    }

    [Fact]
    public void A_librarys_own_promise_is_shown_and_decides_nothing()
    {
        FlowGroup library = new()
        {
            Method = "Broker.Dispatcher.LoopAsync", Await = 0, Count = 1, State = FlowState.Suspended, Waits = s_promise, AwaitedBy = [], Root = FlowRoot.Static, Sample = new Address(0xb000),
        };

        Expect(Weight.None, VerdictKind.NotHung, Idle().Flow(library).Flow("App.Tick.RunAsync", s_delay));
        Expect(Weight.AsyncTask, VerdictKind.Inconclusive, Idle().Flow(library));
        Expect(Weight.None, VerdictKind.NotHung, Idle().Flow(library), hasSources: true);
    }

    [Fact]
    public void A_full_queue_matters_where_nothing_of_the_program_moves()
    {
        Expect(Weight.AsyncLock, VerdictKind.Inconclusive, Idle().Flow("App.Feed.WriteAsync", s_full));
        Expect(Weight.None, VerdictKind.NotHung, Idle().Flow("App.Feed.WriteAsync", s_full).Flow("App.Feed.ReadAsync", s_delay));
    }

    // Another process may take what is in the queue; what the process has to send itself does not come by itself.
    [Theory]
    [InlineData("10.0.0.7:5000", Weight.None)]
    [InlineData("127.0.0.1:5000", Weight.AsyncLock)]
    public void A_queue_that_is_emptied_over_a_connection_of_the_process_to_itself_matters(string peer, Weight weight)
    {
        const ulong receiving = 0x9000;
        FlowWait room = s_full with
        {
            Reach = new WaitReach
            {
                By = FlowRoot.InputOutput, Holders = [], Movers = [new ReachMover { Flow = new Address(receiving) }],
            },
        };
        FlowWait answer = new() { Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Socket(peer) };
        FlowWait accepts = new() { Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Listener("127.0.0.1:5000") };

        IReadOnlyList<Suspect> suspects = Triage.Judge(Idle()
            .Flow("App.Upload.WriteAsync", room)
            .Flow(SnapshotBuilder.Once("App.Link.ReceiveAsync", answer, "App.Link.RunAsync", receiving) with { IsInLoop = true })
            .Flow("App.Server.AcceptAsync", accepts).Build()).Verdict.Suspects;

        Assert.Equal(weight, suspects.Single(suspect => suspect.Title.Text.Contains("Upload.WriteAsync", StringComparison.Ordinal)).Weight);
    }

    [Theory]
    [InlineData(false, true, Weight.AsyncTask, VerdictKind.Inconclusive)]
    [InlineData(false, false, Weight.None, VerdictKind.NotHung)]
    [InlineData(true, true, Weight.None, VerdictKind.NotHung)]
    public void Output_of_a_child_that_Main_awaits_matters_where_the_childs_input_is_open(bool isInLoop, bool isInputOpen, Weight weight, VerdictKind kind)
    {
        FlowGroup reads = new()
        {
            Method = "App.Report.ConvertAsync",
            Await = 0,
            Count = 1,
            State = FlowState.Suspended,
            Waits = new FlowWait { Kind = FlowWaitKind.InputOutput },
            AwaitedBy = ["App.Program.Main"],
            Root = FlowRoot.InputOutput,
            Sample = new Address(0xb000),
            IsInLoop = isInLoop,
        };
        ChildFacts child = new() { Id = Known.Read(1234u), Unread = Known.Read(UnreadOutput.None), IsInputOpen = isInputOpen };

        Expect(weight, kind, Idle().Flow(reads).Child(child));
    }

    [Theory]
    [InlineData(4, 1, false, Weight.AsyncLock)]
    [InlineData(3, 1, false, Weight.None)]
    [InlineData(4, 2, false, Weight.None)]
    [InlineData(4, 1, true, Weight.None)]
    public void A_lock_that_a_crowd_waits_for_while_its_holder_waits_for_somebody_outside_matters(int waiting, int most, bool hasTimeout, Weight weight)
        => Expect(
            weight,
            weight == Weight.None ? VerdictKind.NotHung : VerdictKind.Inconclusive,
            Idle()
                .Flow("App.Link.AskAsync", new FlowWait { Kind = FlowWaitKind.Semaphore, Entries = new SemaphoreEntries(0, (uint)most) }, waiting)
                .Flow("App.Wire.ReadAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, EndsByTimer = hasTimeout }, 1, "App.Link.AskAsync"));

    private static FlowGroup Custom(bool? isInLoop, string awaitedBy) => new()
    {
        Method = "App.Wallet.PayAsync",
        Await = 0,
        Count = 1,
        State = FlowState.Suspended,
        Waits = new FlowWait { Kind = FlowWaitKind.Custom, Address = new Address(0x7a00), Type = "Locks.Queue+Node" },
        AwaitedBy = [awaitedBy],
        Root = FlowRoot.Thread,
        Sample = new Address(0xb000),
        IsInLoop = isInLoop,
    };

    private static SnapshotBuilder Idle() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "App.Program.Main");

    private static void Expect(Weight? weight, VerdictKind kind, SnapshotBuilder builder, bool hasSources = false)
    {
        ProcessSnapshot snapshot = builder.Build();
        Verdict verdict = Triage.Judge(hasSources ? WithSources(snapshot) : snapshot).Verdict;

        Assert.Equal(kind, verdict.Kind);
        Assert.Equal(weight, verdict.Suspects.Select(suspect => (Weight?)suspect.Weight).FirstOrDefault());
    }

    // The program's own PDB was there.
    private static ProcessSnapshot WithSources(ProcessSnapshot snapshot) => snapshot with
    {
        Threads = snapshot.Threads.Select<IReadOnlyList<ThreadFacts>>(threads =>
        [
            .. threads.Select(thread => thread with
            {
                Stack = thread.Stack with { Frames = [.. thread.Stack.Frames.Select(frame => frame with { Source = new SourceLine("App/Program.cs", 7) })] },
            }),
        ]),
    };
}
