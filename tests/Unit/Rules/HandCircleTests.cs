using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>
/// A thread that has one semaphore waits for another one, which an async method is to give back; that waits for the first. Who is to give
/// back is known by the code behind his own wait.
/// </summary>
public sealed class HandCircleTests
{
    private const ulong Filling = 0xf000;
    private const ulong Asking = 0xf100;
    private const ulong Entry = 0x5000;
    private const ulong Promise = 0x5200;
    private const ulong Journal = 0x5100;

    private static readonly LockId s_entry = new(LockKind.SemaphoreSlim, new Address(Entry));

    private static readonly FlowWait s_forJournal = new()
    {
        Kind = FlowWaitKind.Semaphore,
        Address = new Address(Journal),
        Type = "System.Threading.SemaphoreSlim",
        Label = "Shop.Store._journal",
        Entries = new SemaphoreEntries(0, 1),
        HeldBy = new ThreadId(1),
    };

    [Fact]
    public void A_circle_through_what_each_is_to_give_back_is_a_deadlock()
    {
        Verdict verdict = Judge(s_forJournal);

        Assert.Equal((VerdictKind.Deadlock, "HT2004"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Contains("async method Store.LoadAsync", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains("waits for SemaphoreSlim Store._journal, held by that thread", verdict.Title.Text, StringComparison.Ordinal);
    }

    public static TheoryData<FlowWait> WaysOut { get; } =
    [
        s_forJournal with { HeldBy = new ThreadId(2) },
        s_forJournal with { HeldBy = null },
        s_forJournal with { Entries = new SemaphoreEntries(0, 2) },
        s_forJournal with { EndsByTimer = true, SetFor = TimeSpan.FromSeconds(5) },
        new FlowWait { Kind = FlowWaitKind.Delay, EndsByTimer = true },
    ];

    [Theory]
    [MemberData(nameof(WaysOut))]
    public void Where_one_of_them_has_another_way_there_is_none(FlowWait filling)
        => Assert.NotEqual(VerdictKind.Deadlock, Judge(filling).Kind);

    [Fact]
    public void A_thread_that_waits_for_a_time_is_in_no_circle()
        => Assert.NotEqual(VerdictKind.Deadlock, Judge(s_forJournal, TimeSpan.FromSeconds(5)).Kind);

    [Fact]
    public void Two_async_methods_that_are_to_keep_each_other_s_promise_are_none_since_others_may_keep_it()
    {
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main")
            .Flow(SnapshotBuilder.Once("Shop.Berth.AssignAsync", ForPromise(Promise, Asking), "Shop.Program.Main", Filling))
            .Flow(SnapshotBuilder.Once("Shop.Tug.ReserveAsync", ForPromise(Promise + 0x100, Filling), "Shop.Program.Main", Asking))
            .Build()).Verdict;

        Assert.NotEqual(VerdictKind.Deadlock, verdict.Kind);
    }

    [Fact]
    public void Those_that_wait_for_one_lock_have_it_not_from_each_other()
    {
        FlowWait wait = s_forJournal with { HeldBy = null };
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.Join", "Shop.Program.Main")
            .Flow(SnapshotBuilder.Once("Shop.Store.LoadAsync", InHand(wait, Asking), "Shop.A", Filling))
            .Flow(SnapshotBuilder.Once("Shop.Store.SaveAsync", InHand(wait, Filling), "Shop.B", Asking))
            .Build()).Verdict;

        Assert.NotEqual(VerdictKind.Deadlock, verdict.Kind);
    }

    private static FlowWait InHand(FlowWait wait, ulong flow) => wait with { Reach = InHandOf(flow, "Shop.Store.LoadAsync") };

    private static FlowWait ForPromise(ulong promise, ulong bearer) => new()
    {
        Kind = FlowWaitKind.Task,
        Address = new Address(promise),
        Reach = InHandOf(bearer, "Shop.Tug.ReserveAsync"),
    };

    private static WaitReach InHandOf(ulong flow, string method) => new()
    {
        By = FlowRoot.Timer,
        Holders = [],
        Bearer = new ReachHolder { Flow = new Address(flow), Method = method, Await = 0 },
    };

    private static Verdict Judge(FlowWait filling, TimeSpan? limit = null)
        => Triage.Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.SemaphoreSlim.WaitCore", "Shop.Cache.Get", "Shop.Store.Revise")
            .Thread(2, "Shop.Sums.Add")
            .Semaphore(s_entry, "System.Threading.SemaphoreSlim", 0, 1)
            .Waits(1, s_entry, limit ?? Timeout.InfiniteTimeSpan, WaitKind.Signal)
            .Reached(new ThreadId(1), InHandOf(Filling, "Shop.Store.LoadAsync"))
            .Flow(SnapshotBuilder.Once("Shop.Store.LoadAsync", filling, "Shop.Cache.GetAsync", Filling)).Build()).Verdict;
}
