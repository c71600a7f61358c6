using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>What it says of a hang that the target notes how long has been waited.</summary>
public sealed class AgeTests
{
    private static readonly LockId s_gate = SnapshotBuilder.Monitor(0xa000);

    private static readonly string[] s_waits =
    [
        "System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait", "Shop.Dock.Load",
        "System.Threading.ThreadPoolWorkQueue.Dispatch",
    ];

    private static readonly string[] s_blocks =
    [
        "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "Shop.Handle",
        "System.Threading.ThreadPoolWorkQueue.Dispatch",
    ];

    private static readonly TimeSpan s_long = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(29.9, VerdictKind.BusyNotHung)]
    [InlineData(30, VerdictKind.BusyOwner)]
    public void Who_computes_under_a_lock_is_the_culprit_once_nobody_has_got_it_for_long(double seconds, VerdictKind expected)
    {
        Verdict verdict = Triage.Judge(Computes().Starves(s_gate, TimeSpan.FromSeconds(seconds)).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Equal(TimeSpan.FromSeconds(seconds), verdict.Since?.AtLeast);
    }

    // Main gives a job an hour: that the job computes for a minute says nothing.
    [Fact]
    public void A_long_wait_for_something_else_than_its_lock_is_no_reason()
    {
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux()
            .Thread(1, Nothing(""), "System.Threading.Thread.Join", "Shop.Program.Main")
            .Thread(2, Nothing("worker"), "Shop.Prices.Compute", "Shop.Prices.Run")
            .Joins(1, 2).Since(TimeSpan.FromMinutes(1)).Build()).Verdict;

        Assert.Equal(VerdictKind.BusyNotHung, verdict.Kind);
        Assert.Equal(TimeSpan.FromMinutes(1), verdict.Since?.AtLeast);
    }

    [Fact]
    public void A_single_waiter_waits_for_as_long_as_nobody_has_got_the_lock()
    {
        TriageResult result = Triage.Judge(Computes().Starves(s_gate, TimeSpan.FromSeconds(7)).WaitedForBy(s_gate, 1).Build());

        Assert.Equal(TimeSpan.FromSeconds(7), result.Threads.Single(thread => thread.Thread.OsId.Value == 1).WaitsFor?.Since?.AtLeast);
    }

    [Theory]
    [InlineData(5, 0, VerdictKind.Inconclusive)]
    [InlineData(31, 0, VerdictKind.Starvation)]
    [InlineData(0, 31, VerdictKind.Starvation)]
    public void A_pool_that_stands_still_for_long_is_starved_whatever_its_workers_wait_for(
        double taken, double overdue, VerdictKind expected)
    {
        ProcessSnapshot pool = Pool(queued: 40).NothingTaken(TimeSpan.FromSeconds(taken)).Overdue(TimeSpan.FromSeconds(overdue)).Build();

        Assert.Equal(expected, Triage.Judge(pool).Verdict.Kind);
    }

    // An idle pool has taken nothing for long, either.
    [Fact]
    public void A_pool_with_nothing_to_do_is_not_starved()
        => Assert.NotEqual(VerdictKind.Starvation, Triage.Judge(Pool(queued: 0).NothingTaken(TimeSpan.FromHours(1)).Build()).Verdict.Kind);

    /// <summary>For the policy: what long waits make of each pattern that they count for.</summary>
    internal static IEnumerable<(string Name, Case Case)> Cases()
        =>
        [
            ("computes under a lock that nobody has got for long", Case.Of(Computes().Starves(s_gate, s_long).Build())),
            ("has used much CPU under a lock that nobody has got for long", Case.Of(SnapshotBuilder.Linux()
                .Thread(1, Used("clerk", 0), "System.Threading.Monitor.Enter", "Shop.Orders.Place")
                .Thread(2, Used("other", 0), "System.Threading.Monitor.Enter", "Shop.Orders.Place")
                .Thread(3, Used("worker", 40), "Shop.Prices.Compute", "Shop.Prices.Run")
                .Lock(s_gate, 3).Waits(1, s_gate).Waits(2, s_gate).Starves(s_gate, s_long).Build())),
            ("pool that leads to its queue and stands still for long", Case.Of(Tasks().NothingTaken(s_long).Build())),
            ("pool that stands still for long", Case.Of(Pool(queued: 40).NothingTaken(s_long).Build())),
            ("a request that Main has waited for for long", Case.Of(SnapshotBuilder.Linux()
                .Thread(1, Nothing(""), "[InlinedCallFrame]", "System.Net.Sockets.Socket.Receive", "Shop.Client.Fetch", "Shop.Program.Main")
                .WaitsForPeer(1, SnapshotBuilder.Socket("10.0.0.7:5432")).Waits(1, s_gate, kind: WaitKind.Pulse).Since(s_long).Build())),
        ];

    private static SnapshotBuilder Tasks()
        => SnapshotBuilder.Linux().Thread(1, s_blocks).Thread(2, s_blocks)
            .Task(0x7000, TaskKind.AsyncMethod, "Shop.Stock.ReserveAsync").Needs(0x7000, TaskNeedKind.PoolQueue)
            .WaitsForTask(1, 0x7000).WaitsForTask(2, 0x7000)
            .Pool(new PoolWorkers(2, 2, 2, 1, 64), 40);

    private static SnapshotBuilder Computes()
        => SnapshotBuilder.Linux()
            .Thread(1, Nothing("clerk"), "System.Threading.Monitor.Enter", "Shop.Orders.Place", "Shop.Orders.Run")
            .Thread(2, Nothing("worker"), "Shop.Prices.Compute", "Shop.Prices.Run")
            .Lock(s_gate, 2).Waits(1, s_gate);

    private static SnapshotBuilder Pool(uint queued)
        => SnapshotBuilder.Linux().Thread(1, s_waits).Thread(2, s_waits).Thread(3, "Shop.Office.Count", "Shop.Office.Run")
            .WaitsForSignal(1, 0x5000, "gate").WaitsForSignal(2, 0x5000, "gate").ReachedBy(1, 3).ReachedBy(2, 3)
            .Pool(new PoolWorkers(2, 2, 2, 2, 2), queued);

    private static ThreadOptions Used(string name, double seconds)
        => new() { Name = name, Cpu = new CpuTime(TimeSpan.FromSeconds(seconds), TimeSpan.Zero), Life = TimeSpan.FromSeconds(60) };

    private static ThreadOptions Nothing(string name) => new() { Name = name, Cpu = null, Life = null };
}
