using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A cancellation token that nobody is known to cancel ends no wait of those who want something now.</summary>
public sealed class TokenTests
{
    private const string Main = "Shop.Program.Main";

    private static readonly FlowWait s_taken = new() { Kind = FlowWaitKind.Semaphore, Address = new Address(0x7a00), Entries = new SemaphoreEntries(0, 1), EndsByToken = true };
    private static readonly FlowWait s_promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7b00), EndsByToken = true };

    [Theory]
    [InlineData(true, VerdictKind.NeverCompleted)]
    [InlineData(false, VerdictKind.NotHung)]
    [InlineData(null, VerdictKind.NotHung)]
    public void A_semaphore_that_the_method_gives_back_is_a_lock_and_no_call_to_work(bool? releases, VerdictKind expected)
        => Assert.Equal(expected, Judge(Idle().Flow(Flow("Shop.Ledger.PostAsync", s_taken, "Shop.Poster.ExecuteAsync") with { Releases = releases })).Kind);

    [Theory]
    [InlineData(true, VerdictKind.NeverCompleted)]
    [InlineData(false, VerdictKind.NotHung)]
    public void So_is_one_without_a_maximum(bool releases, VerdictKind expected)
        => Assert.Equal(
            expected,
            Judge(Idle().Flow(Flow("Shop.Book.WriteAsync", s_taken with { Entries = new SemaphoreEntries(0, int.MaxValue), EndsByToken = false }, "Shop.Writer.ExecuteAsync") with { Releases = releases })).Kind);

    [Theory]
    [InlineData(90, VerdictKind.NotHung)]
    [InlineData(3600, VerdictKind.NeverCompleted)]
    public void The_timer_of_a_token_ends_the_wait_for_a_lock(int seconds, VerdictKind expected)
        => Assert.Equal(
            expected,
            Judge(Idle().Flow(Flow("Shop.Ledger.PostAsync", s_taken with { EndsByTimer = true, SetFor = TimeSpan.FromSeconds(seconds) }, "Shop.Poster.ExecuteAsync") with { Releases = true })).Kind);

    [Fact]
    public void Those_that_take_turns_get_the_lock()
        => Assert.Equal(
            VerdictKind.NotHung,
            Judge(Idle()
                .Flow(Flow("Shop.Ledger.PostAsync", s_taken, "Shop.Poster.ExecuteAsync") with { Releases = true })
                .Flow(Flow("Shop.Ledger.PostAsync", new FlowWait { Kind = FlowWaitKind.Delay, EndsByTimer = true }, "Shop.Poster.ExecuteAsync") with { Await = 1, Sample = new Address(0xd000) })).Kind);

    [Theory]
    [InlineData(false, false, VerdictKind.Inconclusive)]
    [InlineData(true, false, VerdictKind.NotHung)]
    [InlineData(null, false, VerdictKind.NotHung)]
    [InlineData(false, true, VerdictKind.NotHung)]
    public void An_answer_that_Main_wants_once_matters_where_nobody_asks_the_program_to_end(bool? isInLoop, bool handlesSignals, VerdictKind expected)
        => Assert.Equal(expected, Judge(Idle().Flow(Flow("Shop.Desk.AskAsync", s_promise, "Shop.Orders.PlaceAsync", Main) with { IsInLoop = isInLoop }), handlesSignals).Kind);

    [Fact]
    public void What_Main_itself_awaits_with_a_token_keeps_the_process_alive()
        => Assert.Equal(VerdictKind.NotHung, Judge(Idle().Flow(Flow("Shop.Program.ServeAsync", s_promise, Main) with { IsInLoop = false })).Kind);

    [Theory]
    [InlineData("Tools.Session.SendRequestAsync", "child process 1234")]
    [InlineData("Tools.Session.ReceiveAsync", null)]
    [InlineData("Tools.Worker.ExecuteAsync", null)]
    public void A_library_that_reads_from_the_only_child_waits_for_that(string method, string? other)
    {
        FlowGroup reads = Flow("Tools.Transport.ReadMessagesAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Socket(null) with { Peer = null } });
        FlowGroup own = Flow("Shop.Bot.ConnectAsync", new FlowWait { Kind = FlowWaitKind.AsyncMethod }, Main) with { Source = new SourceLine("Shop/Bot.cs", 5), Sample = new Address(0xd000) };
        Verdict verdict = Judge(Idle()
            .Flow(Flow(method, s_promise, "Shop.Bot.ConnectAsync", Main) with { IsInLoop = false })
            .Flow(own)
            .Flow(reads with { Sample = new Address(0xe000) })
            .Child(new ChildFacts { Id = Known.Read(1234u), Unread = Known.Read(UnreadOutput.None), IsInputOpen = true }));

        Assert.Equal(other is null ? VerdictKind.NotHung : VerdictKind.BlockedOnExternal, verdict.Kind);
        Assert.Equal(other is not null, verdict.Title.Text == $"Async method Bot.ConnectAsync waits for an answer from {other}");
    }

    [Theory]
    [InlineData(3600, VerdictKind.Inconclusive)]
    [InlineData(30, VerdictKind.NotHung)]
    public void Of_several_tasks_one_is_enough(int seconds, VerdictKind expected)
        => Assert.Equal(
            expected,
            Judge(Idle()
                .Flow(Flow("Shop.Link.TimeoutAfter", new FlowWait { Kind = FlowWaitKind.WhenAny, Address = new Address(0x7c00) }, "Shop.Link.OpenAsync", Main) with { IsInLoop = false })
                .Task(0x7c00, TaskKind.WhenAny)
                .Task(0x7d00, TaskKind.Promise)
                .Needs(0x7c00, TaskNeedKind.Task, 0x7d00)
                .Needs(0x7d00, TaskNeedKind.Timer, timer: TimeSpan.FromSeconds(seconds))).Kind);

    [Theory]
    [InlineData("DnsClient.DnsUdpMessageHandler.Query", VerdictKind.BlockedOnExternal)]
    [InlineData("Shop.Beacon.Serve", VerdictKind.NotHung)]
    [InlineData("System.Net.Sockets.UdpClient.Receive", VerdictKind.NotHung)]
    public void A_client_waits_for_the_datagram_of_the_server_that_it_asked(string caller, VerdictKind expected)
        => Assert.Equal(expected, Judge(SnapshotBuilder.Linux().Thread(1, "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "System.Net.Sockets.SocketAsyncContext.PerformSyncOperation", "System.Net.Sockets.Socket.ReceiveFrom", caller, "Shop.Names.Resolve", Main)).Kind);

    [Theory]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void Main_that_went_on_in_the_pool_awaits_the_signal_to_end(bool handlesSignals, VerdictKind expected)
        => Assert.Equal(
            expected,
            Judge(
                Idle()
                    .Thread(2, "System.Threading.WaitHandle.WaitOneNoCheck", "Shop.Program+<RunAsync>d__1.MoveNext", "System.Threading.ThreadPoolWorkQueue.Dispatch")
                    .WaitsForSignal(2, 0x9000, "event")
                    .Flow(Flow(Main, new FlowWait { Kind = FlowWaitKind.AsyncMethod, Label = "Shop.Program.RunAsync" })),
                handlesSignals).Kind);

    private static SnapshotBuilder Idle() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", Main);

    private static FlowGroup Flow(string method, FlowWait wait, params string[] awaitedBy) => new()
    {
        Method = method,
        Await = 0,
        Count = 1,
        State = FlowState.Suspended,
        Waits = wait,
        AwaitedBy = awaitedBy,
        Root = FlowRoot.Static,
        Sample = new Address(0xb000),
    };

    private static Verdict Judge(SnapshotBuilder builder, bool handlesSignals = false)
    {
        ProcessSnapshot snapshot = builder.Build();
        return Triage.Judge(snapshot with { Managed = snapshot.Managed!.Select(managed => managed with { HandlesSignals = Known.Derived(handlesSignals) }) }).Verdict;
    }
}
