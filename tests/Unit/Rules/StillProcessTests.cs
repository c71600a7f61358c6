using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Policy;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A wait of unknown end is a hang where nothing that still moves in the process can do more than look.</summary>
public sealed class StillProcessTests
{
    private const string Beat = "Shop.Program.Beat";

    private static readonly SocketFacts s_client = SnapshotBuilder.Socket("127.0.0.1:5000");

    private static readonly SocketFacts s_listener = SnapshotBuilder.Listener("127.0.0.1:5000");

    [Fact]
    public void Who_only_looks_ends_no_wait_and_is_named()
    {
        Verdict verdict = Judge(MoverCases.Asking().Moves(Beat, acts: false));

        Assert.Equal((VerdictKind.NeverCompleted, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains("Client.AskAsync", verdict.Culprit!.Label.Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text.Contains("Program.Beat", StringComparison.Ordinal));
    }

    [Fact]
    public void Where_nothing_moves_at_all_nothing_ends_the_wait()
        => Assert.Equal(VerdictKind.NeverCompleted, Judge(MoverCases.Asking().NothingMoves()).Kind);

    [Fact]
    public void Who_may_do_more_leaves_it_open()
        => Assert.Equal(
            VerdictKind.Inconclusive, Judge(MoverCases.Asking().Moves(Beat, acts: false).Moves("Shop.Orders.Make", acts: true)).Kind);

    [Fact]
    public void What_was_not_looked_for_leaves_it_open() => Assert.Equal(VerdictKind.Inconclusive, Judge(MoverCases.Asking()).Kind);

    [Fact]
    public void A_process_without_a_wait_of_unknown_end_is_not_hung()
        => Assert.Equal(
            VerdictKind.NotHung,
            Judge(SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main").Moves(Beat, acts: false)).Kind);

    // Whoever else may ask the server, or answer the client, is not seen.
    [Theory]
    [InlineData(true, true, VerdictKind.NeverCompleted)]
    [InlineData(true, false, VerdictKind.Inconclusive)]
    [InlineData(false, true, VerdictKind.Inconclusive)]
    public void A_network_counts_unless_it_is_the_process_itself_that_asks_and_answers(bool serves, bool asks, VerdictKind expected)
    {
        SnapshotBuilder builder = MoverCases.Asking().Moves(Beat, acts: false);
        builder = serves ? builder.Flow("Shop.Server.AcceptAsync", Io(s_listener)) : builder;
        builder = asks ? builder.Flow("Shop.Link.ReadAsync", Io(s_client)) : builder;

        Assert.Equal(expected, Judge(builder).Kind);
    }

    // A service blocks its own stop: what it waits for is lost where nothing that moves can do more than look.
    [Theory]
    [InlineData(false, VerdictKind.NeverCompleted)]
    [InlineData(true, VerdictKind.Inconclusive)]
    public void A_service_that_waits_at_its_stop_for_a_thread_that_idles_holds_the_host_up(bool acts, VerdictKind expected)
    {
        const string stop = "Microsoft.Extensions.Hosting.Internal.Host+<StopAsync>d__16.MoveNext";
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "Shop.RelayService.StopAsync", stop)
            .Thread(2, "System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait", "Shop.RelayService.Carry")
            .WaitsForSignal(2, 0x5000, "System.Threading.SemaphoreSlim", Timeout.InfiniteTimeSpan)
            .ReachedByTimer(2)
            .Joins(1, 2)
            .Moves(Beat, acts);

        Assert.Equal(expected, Judge(builder).Kind);
    }

    private static FlowWait Io(SocketFacts socket) => new() { Kind = FlowWaitKind.InputOutput, EndsByToken = true, Socket = socket };

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;
}
