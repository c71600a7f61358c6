using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>Two looks at a pool whose workers are all blocked: what each has completed in between tells starved from slow.</summary>
public sealed class PoolProgressTests
{
    private const string Dispatch = "System.Threading.ThreadPoolWorkQueue.Dispatch";

    private static readonly TimeSpan s_between = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan s_life = TimeSpan.FromHours(1);
    private static readonly string[] s_task =
        ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.InternalWaitCore", "Shop.Orders.Place", Dispatch];
    private static readonly string[] s_signal =
        ["System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait", "Shop.Dock.Load", Dispatch];

    [Theory]
    [InlineData(0u, 0u, VerdictKind.Starvation)]
    [InlineData(0u, 1u, VerdictKind.Inconclusive)]
    [InlineData(5u, 9u, VerdictKind.NotHung)]
    public void Workers_that_complete_their_items_are_slow_and_those_that_stand_are_starved(uint one, uint other, VerdictKind kind)
    {
        TriageResult result = Judgement((builder, then) => Blocked(builder, then, s_task).Pool(new PoolWorkers(2, 2, 2, 1, 64), 40)
            .Completed((1u, At(then, one)), (2u, At(then, other))));
        Finding found = result.Findings.Single(finding => finding.Rule.Id == "HT2010");

        Assert.Equal(kind, result.Verdict.Kind);
        Assert.Equal(kind != VerdictKind.Starvation ? Confidence.Possible : Confidence.Likely, found.Confidence);
        Assert.Contains("Orders.Place", found.Title.Text, StringComparison.Ordinal);
        Assert.Equal(kind != VerdictKind.Starvation, found.Title.Text.EndsWith("slow and not stuck", StringComparison.Ordinal));
    }

    [Fact]
    public void Without_counts_two_looks_say_what_one_says()
        => Assert.Equal(
            Confidence.Possible,
            Judge((builder, then) => Blocked(builder, then, s_task).Pool(new PoolWorkers(2, 2, 2, 1, 64), 40)).Confidence);

    // Most stand: the pool adds workers, each of which takes an item or two before it blocks as well.
    [Fact]
    public void One_of_many_that_has_completed_an_item_does_not_end_a_starvation()
    {
        Verdict verdict = Judge((builder, then) =>
        {
            for (uint id = 1; id <= 8; id++)
            {
                builder.Thread(id, Thread(then), s_task);
            }

            return builder.Pool(new PoolWorkers(8, 8, 8, 1, 64), 40)
                .Completed(Enumerable.Range(1, 8).Select(id => ((uint)id, id == 1 ? At(then, 3) : 7u)));
        });

        Assert.Equal((VerdictKind.Starvation, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains(
            verdict.Evidence,
            item => item.Claim.Text.StartsWith(
                "1 of the 8 workers that had an item have completed 3 work items", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(false, VerdictKind.Starvation)]
    [InlineData(true, VerdictKind.Inconclusive)]
    public void A_signal_that_a_thread_outside_the_pool_may_give_leaves_it_open(bool isByThread, VerdictKind expected)
    {
        Verdict verdict = Judge((builder, then) =>
        {
            builder = Gated(Blocked(builder, then, s_signal).Thread(3, Thread(then), "Shop.Office.Count", "Shop.Office.Run"))
                .Pool(new PoolWorkers(2, 2, 2, 2, 2), 40)
                .Completed((1u, 7u), (2u, 7u));
            return isByThread ? builder.ReachedBy(1, 3).ReachedBy(2, 3) : builder;
        });

        Assert.Equal(expected, verdict.Kind);
        Assert.Contains("Dock.Load", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, VerdictKind.Starvation, "is starved: all 2 workers are blocked in Dock.Load")]
    [InlineData(false, VerdictKind.Inconclusive, "All 2 workers of the thread pool are blocked in Dock.Load")]
    public void A_signal_that_queued_items_give_makes_a_starvation_from_one_look(bool isQueued, VerdictKind expected, string title)
    {
        SnapshotBuilder builder = Gated(Blocked(SnapshotBuilder.Linux(), false, s_signal)).Pool(new PoolWorkers(2, 2, 2, 2, 2), 40);
        Verdict verdict = Triage.Judge(builder.QueuedEnd(isQueued ? 0x5000u : 0x6000u, "Shop.Dock.Finish", 6).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Contains(title, verdict.Title.Text, StringComparison.Ordinal);
        Assert.Equal(
            isQueued,
            verdict.Evidence.Any(item => item.Claim.Text.Contains(
                "wait for what queued items of Dock.Finish end", StringComparison.Ordinal)));
    }

    // A loop that feeds others and naps in between is one item for ever.
    [Theory]
    [InlineData(7u, VerdictKind.Starvation)]
    [InlineData(8u, VerdictKind.Inconclusive)]
    public void A_worker_that_naps_in_one_item_takes_no_other(uint completed, VerdictKind expected)
    {
        string[] naps = ["System.Threading.Thread.Sleep", "Shop.Feed.Run", Dispatch];
        Verdict verdict = Judge((builder, then) => Gated(Blocked(builder, then, s_signal).Thread(3, Thread(then), naps))
            .Pool(new PoolWorkers(3, 3, 3, 3, 3), 40).Completed((1u, 7u), (2u, 7u), (3u, then ? 7u : completed)));

        Assert.Equal(expected, verdict.Kind);
    }

    // It has no stack that would say so yet.
    [Fact]
    public void A_pool_that_has_just_made_a_worker_is_busy_all_the_same()
    {
        SnapshotBuilder builder = SnapshotBuilder.Linux();
        for (uint id = 1; id <= 8; id++)
        {
            builder.Thread(id, s_task);
        }

        Assert.Equal(VerdictKind.Starvation, Triage.Judge(builder.Pool(new PoolWorkers(9, 9, 9, 1, 64), 40).Build()).Verdict.Kind);
    }

    private static SnapshotBuilder Blocked(SnapshotBuilder builder, bool isEarlier, string[] worker)
        => builder.Thread(1, Thread(isEarlier), worker).Thread(2, Thread(isEarlier), worker);

    private static SnapshotBuilder Gated(SnapshotBuilder builder)
        => builder.WaitsForSignal(1, 0x5000, "gate").WaitsForSignal(2, 0x5000, "gate");

    // The same thread in both samples: as old as its process.
    private static ThreadOptions Thread(bool isEarlier) => new() { Life = isEarlier ? s_life - s_between : s_life };

    // Seven items in the first sample, and so many more since.
    private static uint At(bool isEarlier, uint since) => isEarlier ? 7 : 7 + since;

    private static Verdict Judge(Func<SnapshotBuilder, bool, SnapshotBuilder> describe) => Judgement(describe).Verdict;

    private static TriageResult Judgement(Func<SnapshotBuilder, bool, SnapshotBuilder> describe)
        => Triage.Judge(Case.Of(
            [describe(SnapshotBuilder.Linux().Earlier(s_between), true).Build(), describe(SnapshotBuilder.Linux(), false).Build()]));
}
