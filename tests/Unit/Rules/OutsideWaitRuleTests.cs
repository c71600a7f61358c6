using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>HT8001, beyond what its page shows.</summary>
public sealed class OutsideWaitRuleTests
{
    private const string Peer = "10.0.0.7:5432";

    private static readonly LockId s_monitor = SnapshotBuilder.Monitor(0xc000);
    private static readonly string[] s_receive =
    [
        "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait",
        "System.Net.Sockets.SocketAsyncContext.PerformSyncOperation", "System.Net.Sockets.Socket.Receive", "Shop.Feed.Read",
    ];

    [Fact]
    public void The_title_names_both_ends()
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux().Thread(0x11, [.. s_receive, "Shop.Program.Main"]).WaitsForPeer(0x11, SnapshotBuilder.Socket(Peer)));

        Assert.Equal($"Thread 0 (0x11) waits in Feed.Read for an answer from {Peer}", verdict.Title.Text);
        Assert.Equal((VerdictKind.BlockedOnExternal, Confidence.Possible, "HT8001"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
    }

    [Theory]
    [InlineData("Confluent.Kafka.Impl.SafeKafkaHandle.Flush", VerdictKind.BlockedOnExternal)]
    [InlineData("Confluent.Kafka.Impl.SafeKafkaHandle.CommitSync", VerdictKind.NotHung)]
    public void A_client_that_naps_and_asks_again_has_no_time_limit(string call, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(0x11, "[InlinedCallFrame]", call, "Shop.Orders.Publish", "Shop.Program.Main");

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(builder.Build(), 0x11, "futex", hasTimeout: true)).Verdict.Kind);
    }

    [Fact]
    public void Facts_without_the_other_side_are_judged_by_the_stack()
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux().Thread(0x11, [.. s_receive, "Shop.Program.Main"]));

        Assert.Equal("Thread 0 (0x11) waits in Feed.Read for an answer from a server", verdict.Title.Text);
    }

    [Theory]
    [InlineData("System.Net.Sockets.Socket.Connect", "a connection to 10.0.0.7:5432")]
    [InlineData("System.Net.Sockets.Socket.Send", "10.0.0.7:5432 to read what it sends")]
    [InlineData("System.Net.Security.SslStream.AuthenticateAsClient", "the TLS handshake of 10.0.0.7:5432")]
    [InlineData("System.Net.Http.HttpClient.Send", "an answer from 10.0.0.7:5432")]
    [InlineData("System.Net.Dns.GetHostEntryOrAddressesCore", "the name service")]
    [InlineData("RabbitMQ.Util.BlockingCell<System.Int32>.WaitForValue", "an answer from 10.0.0.7:5432")]
    public void Each_call_says_what_it_waits_for(string call, string thing)
    {
        string[] frames = ["System.Threading.Monitor.Wait", "System.Net.Sockets.Socket.Receive", call, "Shop.Feed.Read", "Shop.Program.Main"];

        Verdict verdict = Judge(SnapshotBuilder.Linux().Thread(0x11, frames).WaitsForPeer(0x11, SnapshotBuilder.Socket(Peer)));

        Assert.Equal($"Thread 0 (0x11) waits in Feed.Read for {thing}", verdict.Title.Text);
    }

    [Fact]
    public void A_client_library_between_is_not_the_program()
    {
        string[] frames = ["System.Threading.Monitor.Wait", "System.Net.Sockets.Socket.Receive", "Npgsql.Internal.NpgsqlReadBuffer.Ensure", "Shop.Orders.Load", "Shop.Program.Main"];

        Assert.StartsWith("Thread 0 (0x11) waits in Orders.Load", Judge(SnapshotBuilder.Linux().Thread(0x11, frames)).Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Code_that_was_called_back_waits_for_something_else()
        => Assert.DoesNotContain(
            Triage.Judge(SnapshotBuilder.Linux()
                .Thread(0x11, "System.Threading.Monitor.Wait", "Shop.Feed.Check", "System.Net.Security.SslStream.AuthenticateAsClient", "Shop.Program.Main").Build()).Findings,
            finding => finding.Rule.Id == "HT8001");

    [Fact]
    public void Threads_in_one_request_are_one_finding()
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        for (uint id = 0x11; id < 0x11 + 4; id++)
        {
            builder.Thread(id, [.. s_receive, "System.Threading.ThreadPoolWorkQueue.Dispatch"]).WaitsForPeer(id, SnapshotBuilder.Socket(Peer));
        }

        TriageResult result = Triage.Judge(builder.Build());

        Assert.Single(result.Findings, finding => finding.Rule.Id == "HT8001");
        Assert.Equal($"Thread 0 (0x11) and 3 more wait in Feed.Read for an answer from {Peer}", result.Verdict.Title.Text);
    }

    [Theory]
    [InlineData(3, "System.Threading.ThreadPoolWorkQueue.Dispatch")]
    [InlineData(8, "System.Threading.Thread.StartCallback")]
    public void Fewer_workers_and_the_read_loops_of_connections_are_no_crowd(int count, string bottom)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        for (uint id = 0x11; id < 0x11 + count; id++)
        {
            builder.Thread(id, [.. s_receive, bottom]).WaitsForPeer(id, SnapshotBuilder.Socket(Peer));
        }

        Assert.Equal(VerdictKind.NotHung, Judge(builder).Kind);
    }

    [Fact]
    public void Four_workers_that_wait_for_four_peers_are_no_crowd()
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        for (uint id = 0x11; id < 0x15; id++)
        {
            builder.Thread(id, [.. s_receive, "System.Threading.ThreadPoolWorkQueue.Dispatch"]).WaitsForPeer(id, SnapshotBuilder.Socket($"10.0.0.{id}:80"));
        }

        Assert.Equal(VerdictKind.NotHung, Judge(builder).Kind);
    }

    [Fact]
    public void A_thread_that_Main_joins_matters()
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Thread.Join", "Shop.Program.Main")
            .Thread(0x12, s_receive)
            .Joins(0x11, 0x12));

        Assert.Equal((VerdictKind.BlockedOnExternal, new ThreadId(0x12)), (verdict.Kind, verdict.Culprit?.Thread));
        Assert.Equal([new ThreadId(0x11)], verdict.Victims.Select(victim => victim.Thread!.Value));
    }

    [Fact]
    public void What_idles_matters_where_others_wait_for_its_lock()
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Monitor.Wait", "System.Net.Sockets.Socket.Accept", "Shop.Server.Run")
            .Thread(0x12, "System.Threading.Monitor.Enter_Slowpath", "Shop.Orders.Add");
        Assert.Equal(VerdictKind.NotHung, Judge(builder).Kind);

        Assert.Equal("HT8001", Judge(builder.Lock(s_monitor, 0x11).Waits(0x12, s_monitor)).Rule?.Id);
    }

    [Fact]
    public void A_file_needs_a_second_capture()
    {
        string[] read = ["[InlinedCallFrame]", "System.IO.RandomAccess.ReadAtOffset", "Shop.Files.Load", "Shop.Program.Main"];
        ProcessSnapshot Sample(TimeSpan before)
            => SnapshotBuilder.Linux().Earlier(before).Thread(0x11, new ThreadOptions { Life = TimeSpan.FromHours(1) - before }, read).Build();

        Assert.DoesNotContain(Triage.Judge(Sample(TimeSpan.Zero)).Findings, finding => finding.Rule.Id == "HT8001");
        Verdict verdict = Triage.Judge(Case.Of([Sample(TimeSpan.FromSeconds(10)), Sample(TimeSpan.Zero)])).Verdict;
        Assert.Equal((Confidence.Likely, "HT8001"), (verdict.Confidence, verdict.Rule?.Id));
    }

    [Theory]
    [InlineData("Shop.Program.<Main>", VerdictKind.NotHung)]
    [InlineData("Shop.Program.Main", VerdictKind.BlockedOnExternal)]
    public void Main_that_awaits_a_message_idles_and_code_that_blocks_on_one_waits(string main, VerdictKind kind)
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "System.Runtime.CompilerServices.TaskAwaiter.GetResult", main)
            .Task(0xa000, TaskKind.AsyncMethod, "Shop.Feed.ReadAsync")
            .NeedsSocket(0xa000, SnapshotBuilder.Socket(Peer) with { Operation = SocketOperation.Receive })
            .WaitsForTask(0x11, 0xa000));

        Assert.Equal(kind, verdict.Kind);
    }

    [Theory]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(null, VerdictKind.NotHung)]
    [InlineData(false, VerdictKind.BlockedOnExternal)]
    public void Main_that_awaits_one_answer_alone_waits_for_it(bool? isInLoop, VerdictKind kind)
        => Assert.Equal(kind, Judge(AwaitsMessage(isInLoop, SnapshotBuilder.Socket(Peer))).Kind);

    [Theory]
    [InlineData("10.0.0.7:5432", true)]
    [InlineData("10.0.0.7:80", false)]
    [InlineData("[::]:5432", false)]
    public void A_call_of_the_processs_own_port_is_told(string listens, bool isOwn)
    {
        SocketFacts listener = SnapshotBuilder.Listener(listens);
        Verdict verdict = Judge(AwaitsMessage(isInLoop: false, SnapshotBuilder.Socket(Peer))
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = listener }));

        Assert.Equal(isOwn, verdict.Title.Text.EndsWith("10.0.0.7:5432, where this process itself listens", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void A_call_of_the_own_port_ends_where_its_handler_waits_for_a_timer(bool isTimed, VerdictKind expected)
    {
        SocketFacts listener = SnapshotBuilder.Listener(Peer);
        SnapshotBuilder builder = AwaitsMessage(isInLoop: false, SnapshotBuilder.Socket(Peer))
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = listener })
            .Flow("Shop.News.GetAsync", new FlowWait { Kind = FlowWaitKind.Delay, EndsByTimer = true }, 1, "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests");
        Verdict verdict = Judge(isTimed ? builder
            : builder.Flow("Shop.News.GetAsync", new FlowWait { Kind = FlowWaitKind.CancellationOnly }, 1, "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests"));

        Assert.Equal(expected, verdict.Kind);
    }

    [Theory]
    [InlineData("10.0.0.7:5432", true, 0, VerdictKind.NotHung)]
    [InlineData("10.0.0.7:0", true, 0, VerdictKind.NotHung)]
    [InlineData("10.0.0.7:80", true, 0, VerdictKind.BlockedOnExternal)]
    [InlineData("10.0.0.7:5432", false, 0, VerdictKind.BlockedOnExternal)]
    [InlineData("10.0.0.7:5432", true, 1, VerdictKind.BlockedOnExternal)]
    public void A_call_of_the_own_port_ends_where_who_serves_a_connection_of_it_waits_for_a_timer(
        string acceptedAt, bool isTimed, int others, VerdictKind expected)
    {
        SocketFacts listener = SnapshotBuilder.Listener(Peer);
        FlowWait reads = new()
        {
            Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Socket("10.0.0.7:40000") with { IsAccepted = true },
        };
        FlowGroup handler = new()
        {
            Method = "Shop.Server.SpeakAsync",
            Await = 2,
            Count = 1,
            State = FlowState.Suspended,
            Waits = isTimed ? new FlowWait { Kind = FlowWaitKind.Delay, EndsByTimer = true } : reads,
            AwaitedBy = [],
            AcceptedAt = acceptedAt,
            Root = FlowRoot.Timer,
            Sample = new Address(0x7f2000000000),
        };
        SnapshotBuilder builder = AwaitsMessage(isInLoop: false, SnapshotBuilder.Socket(Peer))
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = listener })
            .Flow(handler);

        Assert.Equal(expected, Judge(others == 0 ? builder
            : builder.Flow(
                "Shop.News.FollowAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Socket(Peer) })).Kind);
    }

    // It waits for room, which one makes who pauses in the middle of his work, or only leads there.
    [Theory]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(false, VerdictKind.BlockedOnExternal)]
    public void A_call_of_the_own_port_ends_where_somebody_works_on_what_its_handler_waits_for(bool isInHand, VerdictKind expected)
    {
        const ulong Archive = 0x7f2000001000;
        FlowWait room = new()
        {
            Kind = FlowWaitKind.Pipe,
            Queue = new FlowQueue(FlowQueueEnd.Writer, 4096, 4096, IsClosed: false),
            Reach = new WaitReach
            {
                By = FlowRoot.InputOutput,
                Holders = [],
                Movers = [new ReachMover { Flow = new Address(Archive), HasInHand = isInHand }],
            },
        };
        FlowWait pause = new() { Kind = FlowWaitKind.Delay, EndsByTimer = true };

        Assert.Equal(expected, Judge(AwaitsMessage(isInLoop: false, SnapshotBuilder.Socket(Peer))
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Listener(Peer) })
            .Flow(SnapshotBuilder.Once("Shop.Archive.RunAsync", pause, "Shop.Program.Main", Archive))
            .Flow(SnapshotBuilder.Once("Shop.Server.FillAsync", room, "Shop.Program.Main", 0x7f2000000000) with { AcceptedAt = Peer }))
            .Kind);
    }

    [Fact]
    public void A_listener_at_every_address_is_reached_by_the_loopback()
    {
        SocketFacts listener = SnapshotBuilder.Listener("[::]:5432");
        Verdict verdict = Judge(AwaitsMessage(isInLoop: false, SnapshotBuilder.Socket("127.0.0.1:5432"))
            .Flow("Shop.Server.AcceptAsync", new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = listener }));

        Assert.Contains("where this process itself listens", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Output_of_a_child_that_could_not_be_seen_forbids_health()
    {
        ProcessSnapshot seen = SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.WaitHandle.WaitOneNoCheck", "System.Diagnostics.Process.WaitForExit", "Shop.Supervisor.Run")
            .WaitsForChild(0x11, 1234).Build();
        ProcessSnapshot unseen = seen with
        {
            Managed = seen.Managed!.Select(managed => managed with { Outside = Known.Unknown<IReadOnlyList<OutsideWaitFacts>>("outside", "lost") }),
        };
        ProcessSnapshot formerly = seen with { Managed = seen.Managed!.Select(managed => managed with { Outside = null }) };

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(seen).Verdict.Kind);
        Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(unseen).Verdict.Kind);
        Assert.Equal(VerdictKind.NotHung, Triage.Judge(formerly).Verdict.Kind);
    }

    [Theory]
    [InlineData(UnreadOutput.Errors, VerdictKind.BlockedOnExternal)]
    [InlineData(UnreadOutput.None, VerdictKind.NotHung)]
    public void A_child_that_is_awaited_hangs_where_nobody_reads_it(UnreadOutput unread, VerdictKind kind)
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "System.Runtime.CompilerServices.TaskAwaiter.GetResult", "Shop.Program.<Main>")
            .Task(0xa000, TaskKind.AsyncMethod, "Shop.Report.ConvertAsync")
            .Task(0xb000, TaskKind.AsyncMethod, "System.Diagnostics.Process.WaitForExitAsync")
            .Needs(0xa000, TaskNeedKind.Task, 0xb000)
            .Needs(0xb000, TaskNeedKind.Unknown)
            .WaitsAsyncForChild(0xb000, 1234, unread)
            .WaitsForTask(0x11, 0xa000));

        Assert.Equal(kind, verdict.Kind);
        Assert.Equal(kind.IsHang(), verdict.Title.Text.StartsWith("Thread 0 (0x11) waits in Report.ConvertAsync for the end of child process 1234", StringComparison.Ordinal));
    }

    [Fact]
    public void A_user_interface_that_blocks_on_a_request_waits_for_the_outside()
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "System.Threading.Tasks.Task.Wait", "Shop.Window.Open", "Shop.Loop.Run")
            .UiThread(0x11, "Shop.Context", "Shop.Loop.Run")
            .Task(0xa000, TaskKind.AsyncMethod, "Shop.Prices.FetchAsync")
            .NeedsSocket(0xa000, SnapshotBuilder.Socket(Peer) with { Operation = SocketOperation.Receive })
            .WaitsForTask(0x11, 0xa000));

        Assert.Equal((VerdictKind.BlockedOnExternal, "HT8001"), (verdict.Kind, verdict.Rule?.Id));
    }

    [Fact]
    public void A_listener_that_a_task_waits_for_idles()
        => Assert.Equal(
            VerdictKind.NotHung,
            Judge(SnapshotBuilder.Linux()
                .Thread(0x11, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "System.Threading.Tasks.Task.Wait", "Shop.Program.Main")
                .Task(0xa000, TaskKind.AsyncMethod, "Shop.Server.RunAsync")
                .NeedsSocket(0xa000, SnapshotBuilder.Socket(null) with { Peer = null, IsListening = true, Operation = SocketOperation.Accept })
                .WaitsForTask(0x11, 0xa000)).Kind);

    // An asynchronous Main and the one method that it awaits.
    private static SnapshotBuilder AwaitsMessage(bool? isInLoop, SocketFacts socket)
    {
        SocketFacts receives = socket with { Operation = SocketOperation.Receive };
        return SnapshotBuilder.Linux()
            .Thread(0x11, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "System.Runtime.CompilerServices.TaskAwaiter.GetResult", "Shop.Program.<Main>")
            .Task(0xa000, TaskKind.AsyncMethod, "Shop.Feed.GreetAsync")
            .NeedsSocket(0xa000, receives)
            .WaitsForTask(0x11, 0xa000)
            .Flow(new FlowGroup
            {
                Method = "Shop.Feed.GreetAsync",
                Await = 0,
                Count = 1,
                State = FlowState.Suspended,
                Waits = new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = receives },
                AwaitedBy = ["Shop.Program.Main"],
                Root = FlowRoot.InputOutput,
                Sample = new Address(0xa000),
                IsInLoop = isInLoop,
            });
    }

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
