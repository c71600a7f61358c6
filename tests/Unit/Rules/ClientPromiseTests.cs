using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>
/// Main awaits a client, and another method or thread of the client reads from the connection on which the answer has to come.
/// </summary>
public sealed class ClientPromiseTests
{
    private const string Peer = "10.0.0.7:5672";
    private const string Waits = "RabbitMQ.Client.Framing.Connection.StartAndTuneAsync";

    private static readonly FlowWait s_promise = new() { Kind = FlowWaitKind.Task, Address = new Address(0x7a00) };

    [Fact]
    public void The_programs_method_and_the_other_side_are_named()
    {
        Verdict verdict = Judge(Connects().Flow(Reads("RabbitMQ.Client.Impl.InboundFrame.ReadAsync")));

        Assert.Equal((VerdictKind.BlockedOnExternal, Confidence.Possible, "HT8002"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal($"Async method Bus.ConnectAsync waits for an answer from {Peer}", verdict.Title.Text);
    }

    [Fact]
    public void A_thread_of_the_client_may_be_what_reads()
    {
        string[] reads =
        [
            "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "System.Net.Sockets.SocketAsyncContext.PerformSyncOperation",
            "System.Net.Sockets.Socket.Receive", "RabbitMQ.Client.Impl.SocketFrameHandler.ReadFrame",
        ];

        Assert.Equal(VerdictKind.BlockedOnExternal, Judge(Connects().Thread(2, reads).WaitsForPeer(2, SnapshotBuilder.Socket(Peer))).Kind);
    }

    [Theory]
    [InlineData(true, Waits, "Shop.Program.Main")]
    [InlineData(null, Waits, "Shop.Program.Main")]
    [InlineData(false, Waits, "Shop.Jobs.RunAsync")]
    [InlineData(false, "RabbitMQ.Client.Channel.ConsumeAsync", "Shop.Program.Main")]
    [InlineData(false, "MassTransit.Clients.ResponseHandle.GetTask", "Shop.Program.Main")]
    public void What_is_awaited_again_and_again_lasts_by_design_or_is_not_for_Main_is_no_request(bool? isInLoop, string method, string outermost)
        => Assert.Equal(
            VerdictKind.Inconclusive,
            Judge(Connects(isInLoop, method, outermost).Flow(Reads("RabbitMQ.Client.Impl.InboundFrame.ReadAsync"))).Kind);

    [Fact]
    public void Without_a_connection_of_that_client_nobody_outside_is_blamed()
    {
        Assert.Equal(VerdictKind.Inconclusive, Judge(Connects()).Kind);
        Assert.Equal(VerdictKind.Inconclusive, Judge(Connects().Flow(Reads("Npgsql.Internal.NpgsqlReadBuffer.EnsureAsync"))).Kind);
    }

    [Theory]
    [InlineData(30, VerdictKind.NotHung)]
    [InlineData(3600, VerdictKind.BlockedOnExternal)]
    public void A_time_limit_of_minutes_ends_it(int seconds, VerdictKind expected)
        => Assert.Equal(
            expected,
            Judge(Connects(wait: s_promise with { EndsByTimer = true, SetFor = TimeSpan.FromSeconds(seconds) }).Flow(Reads("RabbitMQ.Client.Impl.InboundFrame.ReadAsync"))).Kind);

    private static SnapshotBuilder Connects(bool? isInLoop = false, string method = Waits, string outermost = "Shop.Program.Main", FlowWait? wait = null)
        => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", "Shop.Program.Main").Flow(new FlowGroup
        {
            Method = method,
            Await = 0,
            Count = 1,
            State = FlowState.Suspended,
            Waits = wait ?? s_promise,
            AwaitedBy = ["RabbitMQ.Client.ConnectionFactory.CreateConnectionAsync", "Shop.Bus.ConnectAsync", outermost],
            Root = FlowRoot.Static,
            Sample = new Address(0xb000),
            IsInLoop = isInLoop,
        });

    private static FlowGroup Reads(string method) => new()
    {
        Method = method,
        Await = 0,
        Count = 1,
        State = FlowState.Suspended,
        Waits = new FlowWait { Kind = FlowWaitKind.InputOutput, Socket = SnapshotBuilder.Socket(Peer) },
        AwaitedBy = [],
        Root = FlowRoot.InputOutput,
        Sample = new Address(0xc000),
    };

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
