using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Unit.Policy;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A wait that only a method could end which has failed is a hang, and both the method and its exception are named.</summary>
public sealed class FailedGiverTests
{
    [Fact]
    public void The_method_and_its_exception_are_named()
    {
        Verdict verdict = Triage.Judge(MoverCases.AskingFailed().Build()).Verdict;

        Assert.Equal((VerdictKind.NeverCompleted, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains("Desk.ServeAsync", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains("FormatException", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Advice, advice => advice.Text.Contains("Desk.ServeAsync", StringComparison.Ordinal));
    }

    // A thread of its own that waits for what comes idles, unless who was to send it has failed.
    [Theory]
    [InlineData(false, VerdictKind.NotHung)]
    [InlineData(true, VerdictKind.Inconclusive)]
    public void A_wait_beside_a_consumer_that_has_failed_is_open(bool hasFailed, VerdictKind expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Sleep", "Shop.Program.Main")
            .Thread(2, "System.Threading.WaitHandle.WaitOneNoCheck", "Shop.Desk.Run")
            .WaitsForSignal(2, 0x5000, "asked")
            .Reached(new ThreadId(2), new WaitReach { By = FlowRoot.Timer, Holders = [] });
        FailedGiver failed = new("Shop.Server.ServeAsync", "System.FormatException");
        Verdict verdict = Triage.Judge((hasFailed ? builder.FailedConsumer(failed) : builder).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(hasFailed, verdict.Title.Text.Contains("Server.ServeAsync has failed with FormatException", StringComparison.Ordinal));
    }
}
