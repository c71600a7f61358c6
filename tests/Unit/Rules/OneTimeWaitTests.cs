using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>A thread of its own that nobody waits for: what it goes round says whether its wait for a signal matters.</summary>
public sealed class OneTimeWaitTests
{
    private const uint Waiter = 0x12;

    [Theory]
    [InlineData(true, "Shop.Latch._left", VerdictKind.Inconclusive)]
    [InlineData(false, "Shop.Latch._left", VerdictKind.NotHung)]
    [InlineData(true, "Shop.Latch._stopped", VerdictKind.NotHung)]
    public void It_matters_where_the_thread_is_on_its_way_to_an_end_and_waits_for_no_order_to_end(bool isEnding, string field, VerdictKind expected)
    {
        // A delegate that nobody is seen to call could count the latch down.
        ProcessSnapshot snapshot = AtLatch().Polls(PollOf("Shop.Latch.Await", field, isByDelegate: true, isEnding: isEnding)).Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(expected == VerdictKind.Inconclusive, verdict.Title.Text.Contains("Latch.Await", StringComparison.Ordinal));
    }

    [Fact]
    public void A_signal_without_a_condition_is_how_threads_idle()
        => Assert.Equal(VerdictKind.NotHung, Triage.Judge(AtLatch().Build()).Verdict.Kind);

    [Fact]
    public void It_does_not_matter_while_who_can_change_the_field_makes_progress()
        => Assert.Equal(
            VerdictKind.NotHung,
            Triage.Judge(AtLatch()
                .Thread(0x13, "Shop.Page.Render", "Shop.Page.Run")
                .Polls(PollOf("Shop.Latch.Await", "Shop.Latch._left", isEnding: true, bringers: 0x13))
                .Build()).Verdict.Kind);

    [Theory]
    [InlineData("System.Threading.Thread.Yield", VerdictKind.Inconclusive)]
    [InlineData("System.Threading.Thread.Sleep", VerdictKind.NotHung)]
    public void Who_spins_for_a_field_wants_it_soon_whoever_may_still_change_it(string pause, VerdictKind expected)
        => Assert.Equal(
            expected,
            Triage.Judge(Program()
                .Thread(Waiter, pause, "Shop.Ring.Publish", "Shop.Meter.Run", "System.Threading.Thread.StartCallback")
                .Polls(PollOf("Shop.Ring.Publish", "Shop.Ring._consumed", isByFlow: true))
                .Build()).Verdict.Kind);

    private static SnapshotBuilder Program() => SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", "Shop.Program.Main");

    private static SnapshotBuilder AtLatch()
        => Program()
            .Thread(Waiter, "System.Threading.Monitor.Wait", "Shop.Latch.Await", "Shop.Report.Run", "System.Threading.Thread.StartCallback")
            .WaitsForSignal(Waiter, 0x5000, "latch");

    private static PollFacts PollOf(string method, string field, bool isByFlow = false, bool isByDelegate = false, bool isEnding = false, params uint[] bringers)
    {
        PollFacts poll = SnapshotBuilder.PollOf(method, field, bringers);
        return poll with
        {
            Thread = new ThreadId(Waiter),
            Traits = poll.Traits | (isEnding ? PollTraits.IsOnWayToEnd : PollTraits.None),
            Bringers = Known.Derived(poll.Bringers!.Value with { IsByFlow = isByFlow, IsByDelegate = isByDelegate }),
        };
    }
}
