using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A wait that nothing can end is a hang only where it keeps the program from something.</summary>
public sealed class LostSignalRuleTests
{
    private const ulong First = 0x7f1000000000;
    private const ulong Second = 0x7f1000001000;

    private static readonly string[] s_keepsAlive = ["System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "App.Host.WaitForStop", "App.Host.Run", "App.Start.Go", "App.Program.Main"];
    private static readonly string[] s_counts = ["System.Threading.Monitor.Wait", "System.Threading.CountdownEvent.Wait", "App.Loader.LoadAll", "App.Program.Main"];
    private static readonly string[] s_adds = ["System.Threading.SemaphoreSlim.Wait", "System.Collections.Concurrent.BlockingCollection<System.Int32>.Add", "App.Program.Main"];
    private static readonly string[] s_works = ["System.Threading.WaitHandle.WaitOneNoCheck", "App.Worker.Loop"];
    private static readonly string[] s_takes = ["System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait", "System.Collections.Concurrent.BlockingCollection<System.Int32>.Take", "App.Pool.Rent", "App.Worker.Loop"];
    private static readonly FlowWait s_promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) };

    [Fact]
    public void An_event_that_Main_waits_for_may_keep_the_process_alive_while_others_run()
    {
        Expect(VerdictKind.Inconclusive, null, Waits(s_keepsAlive).Lost(1).Running("a timer"));
        Expect(VerdictKind.NeverCompleted, "HT2012", Waits(s_keepsAlive).Lost(1));
        Expect(VerdictKind.Inconclusive, null, Waits(["System.Threading.WaitHandle.WaitOneNoCheck", "App.Program.Main"]).Lost(1));
    }

    // Of two that are as sure, the one that says for itself why nobody continues.
    [Fact]
    public void A_circle_decides_before_a_signal_that_is_lost_though_Main_waits_for_the_signal()
        => Expect(VerdictKind.Deadlock, "HT2004", Waits(s_keepsAlive).Lost(1)
            .Thread(2, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "App.Desk.Ask")
            .Task(First, TaskKind.AsyncMethod).Needs(First, TaskNeedKind.Task, Second, trust: Trust.Derived).WaitsForTask(2, First)
            .Task(Second, TaskKind.AsyncMethod).Needs(Second, TaskNeedKind.Task, First));

    // Who has something that there is no room for has work that stands still, whoever he is.
    [Theory]
    [InlineData("System.Collections.Concurrent.BlockingCollection<System.__Canon>.TryAddWithNoTimeValidation", VerdictKind.NeverCompleted)]
    [InlineData("App.Signal.Await", VerdictKind.NotHung)]
    public void A_thread_of_its_own_that_waits_for_room_which_nobody_makes_hangs(string call, VerdictKind expected)
        => Expect(expected, expected == VerdictKind.NotHung ? null : "HT2012", SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Sleep", "App.Program.Main")
            .Thread(2, "System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.WaitCore", call, "App.Lane.Serve")
            .WaitsForSignal(2, 0x5000, "room").Lost(2).Running("a timer"));

    [Theory]
    [InlineData("System.Threading.Tasks.Task<System.Threading.Tasks.Dataflow.Internal.VoidResult>", true)]
    [InlineData("System.Threading.Tasks.Task<System.Int32>", false)]
    public void A_block_that_nobody_can_reach_is_not_told_to_complete_whatever_else_runs(string type, bool isFound)
    {
        FlowWait completion = s_promise with { Type = type, Label = "App.Export._writer.Completion" };
        SnapshotBuilder Exports() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Monitor.Wait", "App.Program.Main")
            .Flow("App.Export.ExportAsync", completion, 1, "App.Program.Main").Task(First, TaskKind.AsyncMethod, "App.Export.ExportAsync").WaitsForTask(1, First).Running("a timer");

        Verdict verdict = Triage.Judge(Exports().LostFlow(First, Holder("App.Export.ExportAsync", First)).Build()).Verdict;
        Verdict reached = Triage.Judge(Exports().FlowReachedByTimer(First).Build()).Verdict;

        Assert.Equal(isFound ? (VerdictKind.NeverCompleted, "HT2012") : (VerdictKind.NotHung, null), (verdict.Kind, verdict.Rule?.Id));
        Assert.NotEqual(VerdictKind.NeverCompleted, reached.Kind);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Who_feeds_a_full_queue_and_reads_none_waits_behind_the_circle(bool areReadersKnown)
    {
        const ulong third = 0x7f1000002000;
        Address inbound = new(0x7a00);
        Address exceptions = new(0x7b00);
        ReachHolder[] all = [Holder("App.Router.FeedAsync", First), Holder("App.Router.RetryAsync", Second), Holder("App.Router.RouteAsync", third)];
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, "System.Threading.Monitor.Wait", "App.Program.Main")
            .Flow("App.Router.FeedAsync", WritesTo(inbound), 1, "App.Program.Main").LostFlow(First, [.. all[1..]])
            .Flow("App.Router.RetryAsync", WritesTo(inbound), 1, "App.Program.Main").LostFlow(Second, all[0], all[2])
            .Flow("App.Router.RouteAsync", WritesTo(exceptions), 1, "App.Program.Main").LostFlow(third, [.. areReadersKnown ? all[..2] : all[1..2]]);
        if (areReadersKnown)
        {
            builder.ReadsQueue(new QueueReaderFacts { Queue = inbound, Flow = new Address(third), Method = "App.Router.RouteAsync" })
                .ReadsQueue(new QueueReaderFacts { Queue = exceptions, Flow = new Address(Second), Method = "App.Router.RetryAsync" });
        }

        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.Equal((VerdictKind.Deadlock, "HT2013"), (verdict.Kind, verdict.Rule?.Id));
        Assert.DoesNotContain("FeedAsync", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Equal(2, verdict.Chain.Count);
        Assert.Contains(verdict.Victims, victim => victim.Label.Text.Contains("FeedAsync", StringComparison.Ordinal));
    }

    // A consumer may idle for ever once its producers have ended; not where they were dropped in the middle.
    [Theory]
    [InlineData("App.Route.ReadAsync", VerdictKind.NeverCompleted)]
    [InlineData("App.Route.PrintAsync", VerdictKind.NotHung)]
    [InlineData(null, VerdictKind.NotHung)]
    public void A_consumer_hangs_where_its_only_producer_was_dropped_in_the_middle(string? abandoned, VerdictKind expected)
    {
        FlowWait reads = new() { Kind = FlowWaitKind.Channel, Address = new Address(0x7a00), Queue = new FlowQueue(FlowQueueEnd.Reader, 0, 8, false) };
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", "App.Program.Main")
            .Flow("App.Billing.RunAsync", reads, 1).LostFlowOf(First, "App.Route+<ReadAsync>d__4.MoveNext").Running("a timer");

        Verdict verdict = Triage.Judge((abandoned is null ? builder : builder.Abandoned(abandoned)).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected == VerdictKind.NeverCompleted, verdict.Title.Text.Contains("Route.ReadAsync", StringComparison.Ordinal));
    }

    private static ReachHolder Holder(string method, ulong flow) => new() { Flow = new Address(flow), Method = method, Await = 1 };

    private static FlowWait WritesTo(Address channel)
        => new() { Kind = FlowWaitKind.Channel, Address = channel, Queue = new FlowQueue(FlowQueueEnd.Writer, 8, 8, false) };

    [Fact]
    public void What_counts_and_a_librarys_own_wait_keep_no_process_alive()
    {
        Expect(VerdictKind.NeverCompleted, "HT2012", Waits(s_counts).Lost(1).Running("a timer"));
        Expect(VerdictKind.NeverCompleted, "HT2012", Waits(s_adds).Lost(1).Running("a timer"));
    }

    [Fact]
    public void What_something_that_runs_can_reach_is_not_lost()
        => Expect(VerdictKind.Inconclusive, null, Waits(s_counts).Running("a timer"));

    [Fact]
    public void A_wait_that_ends_by_itself_is_not_lost()
        => Expect(VerdictKind.NotHung, null, SnapshotBuilder.Linux().Thread(1, s_counts).WaitsForSignal(1, 0x5000, "left", TimeSpan.FromSeconds(5)).Lost(1));

    [Fact]
    public void A_worker_that_nobody_waits_for_is_no_hang_and_one_that_is_joined_is()
    {
        SnapshotBuilder Worker() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "App.Program.Main").Thread(2, s_works).WaitsForSignal(2, 0x5000, "work").Lost(2);

        Expect(VerdictKind.NotHung, null, Worker());
        Expect(VerdictKind.NeverCompleted, "HT2012", Worker().Joins(1, 2));
        Expect(VerdictKind.Inconclusive, null, Worker().Joins(1, 2).Running("a timer"));
    }

    [Fact]
    public void Workers_at_an_empty_queue_are_no_hang_until_Main_waits_for_one_and_nothing_is_left_that_runs()
    {
        SnapshotBuilder Worker() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "App.Program.Main").Thread(2, s_takes).WaitsForSignal(2, 0x5000, "items").Lost(2);

        Expect(VerdictKind.NotHung, null, Worker());
        Expect(VerdictKind.NeverCompleted, "HT2012", Worker().Joins(1, 2));
        Expect(VerdictKind.NotHung, null, Worker().Joins(1, 2).Running("a timer"));
        Expect(VerdictKind.NotHung, null, Worker().Joins(1, 2).InStatics());
    }

    [Fact]
    public void A_method_of_a_library_is_named_with_the_programs_that_called_it()
    {
        Verdict verdict = Expect(
            VerdictKind.NeverCompleted,
            "HT2012",
            Sleeps().Flow("Vendor.Rpc.Client.InvokeCoreAsync", s_promise, 2, "Vendor.Rpc.Client.InvokeAsync", "App.Orders.SaveAsync", "App.Program.Main").LostFlow(First));

        Assert.StartsWith("2 x Client.InvokeCoreAsync (App/Program.cs:10), called by Orders.SaveAsync, wait for", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void One_promise_while_others_run_is_a_suspect_and_several_are_a_hang()
    {
        Expect(VerdictKind.Inconclusive, null, Sleeps().Flow("App.Client.AskAsync", s_promise).LostFlow(First).Running("a timer"));
        Expect(VerdictKind.NeverCompleted, "HT2012", Sleeps().Flow("App.Client.AskAsync", s_promise, 2).LostFlow(First).Running("a timer"));
    }

    [Fact]
    public void What_Main_itself_awaits_keeps_no_process_alive_where_nobody_is_left_to_end_it()
    {
        SnapshotBuilder Awaits() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Monitor.Wait", "App.Program.Main")
            .Flow("App.Quotes.RunAsync", s_promise, 1, "App.Program.Main")
            .Task(First, TaskKind.AsyncMethod, "App.Quotes.RunAsync").WaitsForTask(1, First).LostFlow(First);

        Expect(VerdictKind.NeverCompleted, "HT2012", Awaits());
        Expect(VerdictKind.NeverCompleted, "HT2012", Awaits().InStatics());
        Expect(VerdictKind.NotHung, null, Awaits().Running("a timer"));
    }

    [Fact]
    public void Whose_end_leads_there_is_to_blame_and_not_who_waits_behind()
    {
        Verdict verdict = Expect(
            VerdictKind.NeverCompleted,
            "HT2012",
            Sleeps().Flow("App.Feed.ScanAsync", s_promise, 2).Flow("App.Uploader.UploadAsync", s_promise, 2)
                .LostFlow(First, Of(First), Of(Second) with { ByItsEnd = true })
                .LostFlow(Second, Of(Second), Of(First)));

        Assert.Contains("UploadAsync", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_reply_that_its_own_waiter_leads_to_makes_no_circle()
    {
        SnapshotBuilder Actors() => Sleeps().Flow("App.Order.HandleAsync", s_promise, 2).Flow("App.Stock.HandleAsync", s_promise, 2);

        Expect(VerdictKind.Deadlock, "HT2013", Actors().LostFlow(First, Of(Second)).LostFlow(Second, Of(First)));
        Expect(VerdictKind.NeverCompleted, "HT2012", Actors().LostFlow(First, Of(First), Of(Second)).LostFlow(Second, Of(First), Of(Second)));
    }

    [Fact]
    public void What_nothing_can_resume_any_more_is_named()
    {
        Verdict verdict = Expect(
            VerdictKind.NeverCompleted,
            "HT2012",
            Sleeps().Flow("App.Pool.DrainAsync", s_promise, 2).LostFlow(First, new ReachHolder { Flow = new Address(0xdead), Method = "App.NightlyJob.Execute", Await = 0, IsGarbage = true }));

        Assert.Contains("NightlyJob.Execute", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, false, "App.Sampler.SampleAsync", VerdictKind.NeverCompleted)]
    [InlineData(true, true, "App.Sampler.SampleAsync", VerdictKind.NotHung)]
    [InlineData(false, false, "App.Sampler.SampleAsync", VerdictKind.NotHung)]
    [InlineData(true, false, "System.IO.Stream.CopyToAsync", VerdictKind.NotHung)]
    public void Work_of_a_service_that_nothing_can_resume_is_lost_though_the_host_alone_awaits_it(
        bool isGarbage, bool isAtRest, string method, VerdictKind expected)
    {
        FlowGroup host = new()
        {
            Method = "Microsoft.Extensions.Hosting.Internal.Host.TryExecuteBackgroundServiceAsync",
            Await = 0,
            Count = 1,
            State = FlowState.Suspended,
            Waits = new FlowWait { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) },
            AwaitedBy = [],
            Root = FlowRoot.Static,
            Sample = new Address(First),
        };
        ReachHolder work = new()
        {
            Flow = new Address(0xdead), Method = method, Await = 0, ByItsEnd = true, IsGarbage = isGarbage, IsAtRest = isAtRest,
        };

        Expect(expected, expected == VerdictKind.NotHung ? null : "HT2012", Sleeps().Flow(host).LostFlow(First, work));
    }

    [Theory]
    [InlineData(false, VerdictKind.NeverCompleted)]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(null, VerdictKind.NotHung)]
    public void A_promise_of_a_librarys_make_is_lost_as_a_task_is_unless_it_is_awaited_again_and_again(bool? isInLoop, VerdictKind expected)
    {
        FlowGroup debits = new()
        {
            Method = "App.Wallet.DebitAsync",
            Await = 0,
            Count = 1,
            State = FlowState.Suspended,
            Waits = new FlowWait { Kind = FlowWaitKind.Custom, Address = new Address(0x7a00), Type = "Locks.Queue+Node" },
            AwaitedBy = ["App.Wallet.TransferAsync"],
            Root = FlowRoot.Static,
            Sample = new Address(First),
            IsInLoop = isInLoop,
        };

        Expect(expected, expected == VerdictKind.NotHung ? null : "HT2012", Sleeps().Flow(debits).LostFlow(First));
    }

    [Fact]
    public void A_signal_in_the_hands_of_a_thread_that_waits_for_the_waiters_lock_is_a_deadlock()
    {
        LockId gate = SnapshotBuilder.Monitor(0xa000);
        SnapshotBuilder Stops() => Waits(s_counts).Lock(gate, 1).Thread(2, "System.Threading.Monitor.Enter", "App.Download.Work");

        Verdict verdict = Expect(VerdictKind.Deadlock, "HT1001", Stops().Waits(2, gate).Lost(1, new ReachHolder { Thread = new ThreadId(2) }));

        Assert.Equal(Confidence.Likely, verdict.Confidence);
        Assert.Equal(4, verdict.Chain.Count);
        Expect(VerdictKind.NeverCompleted, "HT2012", Stops().WaitsForSignal(2, 0x6000, "work").Lost(1, new ReachHolder { Thread = new ThreadId(2) }));
    }

    [Fact]
    public void Who_waits_for_the_same_signal_or_for_who_waits_for_it_is_not_in_a_circle_while_another_gets_an_answer()
    {
        ReachHolder[] holders = [.. new uint[] { 2, 3, 4 }.Select(id => new ReachHolder { Thread = new ThreadId(id) })];
        SnapshotBuilder built = Waits(s_counts)
            .WaitsForSignal(2, 0x5000, "left")
            .Thread(3, "System.Threading.Thread.Join", "App.Program.Main")
            .Joins(3, 1)
            .Thread(4, "System.Net.Sockets.Socket.Receive", "App.Download.Work")
            .AnsweredBy(1, 4, holders);

        Verdict verdict = Triage.Judge(Case.Of(built.Build())).Verdict;

        Assert.NotEqual(VerdictKind.Deadlock, verdict.Kind);
    }

    [Fact]
    public void Facts_keep_who_can_end_a_wait()
    {
        ProcessSnapshot before = Waits(s_counts).Lost(1, Of(Second)).InStatics().Build();
        using MemoryStream file = new();
        FactsFile.Write(Case.Of(before), file);
        file.Position = 0;

        WaitReach after = Assert.Single(FactsFile.Read(file).Last.Managed!.Value.Waits.Value).Reach!;

        Assert.True(after.IsInStatic);
        Assert.Equal(Of(Second), Assert.Single(after.Holders));
    }

    [Fact]
    public void A_static_barrier_that_too_few_come_to_is_a_hang_where_others_wait_for_them_and_nothing_runs()
    {
        string[] meets = ["System.Threading.Monitor.Wait", "System.Threading.Barrier.SignalAndWait", "App.Lanes.Run"];
        string[] idles = ["System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "App.Lanes.Run"];
        SnapshotBuilder Joined(string[] frames)
            => SnapshotBuilder.Linux().Thread(1, frames).WaitsForSignal(1, 0x5000, "step").Lost(1).InStatics()
            .Thread(2, "System.Threading.Thread.Join", "App.Program.Main").Joins(2, 1);

        Expect(VerdictKind.NeverCompleted, "HT2012", Joined(meets));
        Assert.NotEqual(VerdictKind.NeverCompleted, Triage.Judge(Joined(meets).Running("a timer").Build()).Verdict.Kind);
        Assert.NotEqual(VerdictKind.NeverCompleted, Triage.Judge(Joined(idles).Build()).Verdict.Kind);
    }

    [Fact]
    public void A_Main_that_waits_with_a_lock_that_others_want_keeps_no_process_alive()
    {
        LockId gate = SnapshotBuilder.Monitor(0xa000);
        SnapshotBuilder Alone()
            => Waits(["System.Threading.WaitHandle.WaitOneNoCheck", "App.Program.Main"]).Lost(1).InStatics().Lock(gate, 1);
        SnapshotBuilder Wanted() => Alone().Thread(2, "System.Threading.Monitor.Enter", "App.Clerk.Answer").Waits(2, gate);

        Expect(VerdictKind.NeverCompleted, "HT2012", Wanted());
        Expect(VerdictKind.Inconclusive, null, Alone());
        Expect(VerdictKind.Inconclusive, null, Wanted().Running("a handler of signals"));
    }

    [Fact]
    public void An_event_that_Main_gave_to_nobody_keeps_the_process_alive_while_others_run()
    {
        Expect(VerdictKind.NotHung, null, Unshared(s_keepsAlive[..2], "a timer"));
        Expect(VerdictKind.Inconclusive, null, Unshared(s_keepsAlive[..2], null));

        Verdict Judged(string[] frames) => Triage.Judge(Unshared(frames, "a timer").Build()).Verdict;
        Assert.NotEqual(VerdictKind.NotHung, Judged(s_keepsAlive).Kind);
    }

    [Fact]
    public void A_signal_in_a_static_field_is_lost_where_code_was_to_give_it_and_nothing_left_can_come_there_whatever_else_runs()
    {
        string[] waits = ["System.Threading.WaitHandle.WaitOneNoCheck", "App.Program.Main"];
        SnapshotBuilder Beats(params string[] users) => Waits(waits).LostInField(1, users).Running("a timer");

        Verdict verdict = Expect(VerdictKind.NeverCompleted, "HT2012", Beats("App.Program.Main", "App.Cache.Fill"));

        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text.Contains("Cache.Fill", StringComparison.Ordinal));
        Expect(VerdictKind.Inconclusive, null, Beats("App.Program.Main"));
    }

    [Theory]
    [InlineData("App.Feeder.Feed", VerdictKind.NeverCompleted)]
    [InlineData("App.Worker.Loop", VerdictKind.NotHung)]
    public void A_worker_whose_end_Main_waits_for_is_lost_where_others_were_to_feed_it(string user, VerdictKind expected)
    {
        SnapshotBuilder joined = SnapshotBuilder.Linux().Thread(1, s_takes).WaitsForSignal(1, 0x5000, "items")
            .LostInField(1, "App.Worker.Loop", user)
            .Thread(2, "System.Threading.Thread.Join", "App.Program.Main").Joins(2, 1).Running("a timer");

        Assert.Equal(expected, Triage.Judge(joined.Build()).Verdict.Kind);
    }

    [Fact]
    public void A_thread_that_sleeps_for_a_time_and_can_come_to_code_that_gives_the_signal_is_a_reason_for_the_wait()
    {
        SnapshotBuilder fed = Waits(["System.Threading.WaitHandle.WaitOneNoCheck", "App.Program.Main"])
            .Thread(2, "System.Threading.Thread.Sleep", "App.Feeder.Feed").Running("thread 0x2");

        Expect(VerdictKind.NotHung, null, fed.InFieldOf(1, 2, isAlone: true, "App.Feeder.Feed"));
        Expect(VerdictKind.Inconclusive, null, fed.InFieldOf(1, 2, isAlone: false, "App.Feeder.Feed"));
        Expect(VerdictKind.Inconclusive, null, fed.ReachedBy(1, 2));
    }

    private static SnapshotBuilder Unshared(string[] frames, string? runs)
    {
        SnapshotBuilder builder = Waits([.. frames, "App.Program.Main"]).Lost(1).Unshared(1);
        return runs is null ? builder : builder.Running(runs);
    }

    private static SnapshotBuilder Sleeps() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", "App.Program.Main");

    private static SnapshotBuilder Waits(string[] frames) => SnapshotBuilder.Linux().Thread(1, frames).WaitsForSignal(1, 0x5000, "left");

    private static ReachHolder Of(ulong flow) => new() { Flow = new Address(flow), Method = "App.Some.Async", Await = 0 };

    private static Verdict Expect(VerdictKind kind, string? rule, SnapshotBuilder builder)
    {
        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.Equal((kind, rule), (verdict.Kind, verdict.Rule?.Id));
        return verdict;
    }
}
