using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>
/// A thread that begins with a loop which asks, naps and asks again: whether somebody waits for its end tells what it is.
/// </summary>
public sealed class JoinedRetryTests
{
    private const string Loop = "Shop.Broker.ConnectAtLast";

    [Theory]
    [InlineData(true, false, VerdictKind.Inconclusive)]
    [InlineData(false, false, VerdictKind.NotHung)]
    // A field can tell it to stop.
    [InlineData(true, true, VerdictKind.NotHung)]
    public void It_is_a_suspect_where_its_end_is_waited_for_and_only_an_answer_ends_it(bool isJoined, bool hasField, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, isJoined ? "System.Threading.Thread.Join" : "System.Console.ReadLine", "Shop.Program.Main")
            .Thread(2, "System.Threading.Thread.Sleep", Loop)
            .Polls(new PollFacts
            {
                Thread = new ThreadId(2),
                Method = Loop,
                Fields = hasField ? ["Shop.Broker._later"] : [],
                Calls = ["System.Net.Sockets.TcpClient..ctor"],
                Traits = PollTraits.HasExit,
            });

        Verdict verdict = Triage.Judge((isJoined ? builder.Joins(1, 2) : builder).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected == VerdictKind.Inconclusive, verdict.Title.Text.Contains("Broker.ConnectAtLast", StringComparison.Ordinal));
    }
}
