using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class PoolStarvationRuleTests
{
    private static readonly string[] s_wait =
    [
        "System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait",
        "System.Threading.Tasks.Task.InternalWaitCore", "System.Threading.Tasks.Task.InternalWait", "System.Threading.Tasks.Task<System.Int32>.GetResultCore",
    ];

    [Fact]
    public void The_signature_tells_one_program_from_another()
    {
        Assert.Equal("HT2010/Shop.Handle", Judge("Shop.Handle").Signature.Text);
        Assert.NotEqual(Judge("Shop.Handle").Signature, Judge("Bank.Handle").Signature);
    }

    [Theory]
    [InlineData(true, 2u, VerdictKind.Starvation)]
    [InlineData(false, 2u, VerdictKind.Inconclusive)]
    [InlineData(true, 64u, VerdictKind.Inconclusive)]
    public void A_full_pool_whose_workers_wait_for_what_runs_on_it_is_starved(bool isByTimer, uint most, VerdictKind expected)
    {
        string[] worker = ["System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait", "Shop.Dock.Load", "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        SnapshotBuilder builder = SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker).Thread(3, "Shop.Office.Count", "Shop.Office.Run")
            .WaitsForSignal(1, 0x5000, "gate").WaitsForSignal(2, 0x5000, "gate")
            .Pool(new PoolWorkers(2, 2, 2, 2, most), 40);

        builder = isByTimer ? builder.ReachedByTimer(1).ReachedByTimer(2) : builder.ReachedBy(1, 3).ReachedBy(2, 3);

        Assert.Equal(expected, Triage.Judge(builder.Build()).Verdict.Kind);
    }

    // Of a warm worker no frame of Task is left; the task that wakes it is what capture found.
    [Theory]
    [InlineData(TaskNeedKind.PoolQueue, null, VerdictKind.Starvation)]
    [InlineData(TaskNeedKind.Timer, "System.Threading.TimerQueue", VerdictKind.Starvation)]
    [InlineData(TaskNeedKind.Io, "System.Net.Sockets.SocketAsyncEngine", VerdictKind.Starvation)]
    [InlineData(TaskNeedKind.Timer, "System.Net.Sockets.SocketAsyncEngine", VerdictKind.Inconclusive)]
    [InlineData(TaskNeedKind.Io, "App.Request", VerdictKind.Inconclusive)]
    public void Workers_are_starved_where_their_tasks_lead_to_what_is_queued(TaskNeedKind need, string? queued, VerdictKind expected)
    {
        string[] worker =
            ["System.Threading.Monitor.Wait", "System.Threading.ManualResetEventSlim.Wait", "Shop.Orders.Place",
                "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker)
            .Task(0x7000, TaskKind.AsyncMethod, "Shop.Stock.ReserveAsync").Needs(0x7000, need, timer: TimeSpan.FromSeconds(1))
            .WaitsForTask(1, 0x7000).WaitsForTask(2, 0x7000)
            .Pool(new PoolWorkers(2, 2, 2, 1, 64), 40, items: queued is null ? [] : [new PoolItems(queued, null, 1)]).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
        Assert.Contains("all 2 workers", verdict.Title.Text, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("Orders.Place on async method Stock.ReserveAsync, and 40 work items wait", verdict.Title.Text,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_worker_is_never_said_to_block_in_code_that_a_framework_makes_or_in_the_wait_itself()
    {
        string[] worker =
        [
            "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.InternalWaitCore", "Microsoft.AspNetCore.Http.FormFeature.ReadForm",
            "(dynamicClass).lambda_method1",
            "System.Threading.ThreadPoolWorkQueue.Dispatch",
        ];
        Verdict verdict =
            Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker).Pool(new PoolWorkers(2, 2, 2, 2, 2), 40)
                .Build()).Verdict;

        Assert.Equal(VerdictKind.Starvation, verdict.Kind);
        Assert.Contains("FormFeature.ReadForm", verdict.Title.Text, StringComparison.Ordinal);
    }

    private static Verdict Judge(string blocks)
    {
        string[] worker = [.. s_wait, blocks, "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        return Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker).Pool(new PoolWorkers(2, 2, 2, 2, 2), 40).Build()).Verdict;
    }
}
