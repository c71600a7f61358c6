using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Who waits for an answer has not sent what it is to answer.</summary>
public sealed class UnsentTests
{
    private const ulong Own = 0x9100;
    private const ulong Other = 0x9200;

    private static readonly SocketFacts s_socket = SnapshotBuilder.Socket("10.0.0.7:5432") with { At = new Address(Own) };

    [Theory]
    [InlineData(Own, VerdictKind.NeverCompleted)]
    [InlineData(Other, VerdictKind.BlockedOnExternal)]
    public void A_thread_that_reads_the_answer_to_what_is_in_its_buffer_waits_for_itself(ulong socket, VerdictKind expected)
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Monitor.Wait", "System.Net.Sockets.Socket.Receive", "Shop.Pump.Authorize", "Shop.Program.Main")
            .WaitsForPeer(1, s_socket)
            .HasUnsent(socket, 22, "System.IO.BufferedStream"));

        Assert.Equal((expected, "HT8001"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Equal(
            socket == Own,
            verdict.Title.Text.EndsWith("22 bytes that it has written are still in its BufferedStream", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(Own, VerdictKind.NeverCompleted)]
    [InlineData(Other, VerdictKind.BlockedOnExternal)]
    public void So_does_an_async_method(ulong socket, VerdictKind expected)
    {
        Verdict verdict = Judge(Asking().HasUnsent(socket, 1));

        Assert.Equal((expected, "HT8002"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Equal(
            socket == Own,
            verdict.Title.Text.EndsWith("1 character that it has written is still in its StreamWriter", StringComparison.Ordinal));
    }

    // It gives up by itself.
    [Fact]
    public void A_time_limit_ends_the_wait_all_the_same()
        => Assert.Equal(VerdictKind.NotHung, Judge(Asking(TimeSpan.FromSeconds(30)).HasUnsent(Own, 22)).Kind);

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;

    private static SnapshotBuilder Asking(TimeSpan? limit = null)
        => SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Sleep", "Shop.Clock.Run")
            .Flow(SnapshotBuilder.Once(
                "Shop.Bank.AnswerAsync",
                new FlowWait
                {
                    Kind = FlowWaitKind.InputOutput,
                    Socket = s_socket with { Operation = SocketOperation.Receive },
                    EndsByTimer = limit is not null,
                    SetFor = limit,
                },
                "Shop.Program.Main",
                0x7f1000008000));
}
