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

    [Fact]
    public void A_worker_that_spins_before_it_sleeps_on_a_task_is_no_worker_at_work()
    {
        string[] spins =
            ["System.Threading.Thread.Yield", "System.Threading.Tasks.Task.SpinWait", .. s_wait[3..], "Shop.Handle",
                "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        string[] sleeps = [.. s_wait, "Shop.Handle", "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux().Thread(1, sleeps).Thread(2, spins).Thread(3, sleeps)
            .Pool(new PoolWorkers(3, 3, 3, 2, 64), 40, logged: 2).Build()).Verdict;

        Assert.Equal(VerdictKind.Starvation, verdict.Kind);
        Assert.Contains("all 3 workers are blocked in Handle", verdict.Title.Text.Replace("Shop.", string.Empty, StringComparison.Ordinal),
            StringComparison.Ordinal);
    }

    // Any wait can be compiled into its caller: only the pause is left on the stack.
    [Theory]
    [InlineData("Shop.Mailer.Send", true)]
    [InlineData("Shop.Mailer.Ask", false)]
    public void A_worker_that_yields_in_the_method_in_which_the_others_sleep_spins_before_the_same_wait(string method, bool isStarved)
    {
        string[] sleeps = ["System.Threading.Monitor.Wait", "Shop.Mailer.Send", "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux().Thread(1, sleeps).Thread(2, sleeps)
            .Thread(3, "System.Threading.Thread.Yield", method, "System.Threading.ThreadPoolWorkQueue.Dispatch")
            .Pool(new PoolWorkers(3, 3, 3, 2, 64), 40, logged: 2).Build()).Verdict;

        Assert.Equal(isStarved, verdict.Title.Text.Contains("All 3 workers of the thread pool are blocked in Mailer.Send",
            StringComparison.Ordinal));
    }

    // The pool adds a worker or two a second, and each is blocked as well.
    [Theory]
    [InlineData(0u, false)]
    [InlineData(5u, true)]
    public void A_pool_that_logged_starvation_and_whose_workers_are_all_blocked_is_the_headline_though_it_can_grow(uint logged,
        bool isHeadline)
    {
        string[] worker =
            ["System.Threading.Monitor.Wait", "System.Threading.SemaphoreSlim.Wait", "Shop.Dock.Load",
                "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker)
            .Pool(new PoolWorkers(2, 2, 2, 1, 64), 40, logged).Build()).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Equal(isHeadline, verdict.Title.Text.StartsWith("All 2 workers of the thread pool are blocked in Dock.Load",
            StringComparison.Ordinal));
    }

    // As of a device whose own thread completes the promises: whatever the pool queues is no part of that.
    [Fact]
    public void Workers_whose_tasks_lead_elsewhere_do_not_make_a_starvation()
    {
        string[] worker = [.. s_wait, "Shop.Device.Measure", "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker).Thread(3, "Shop.Device.Serve")
            .Task(0x7000, TaskKind.Promise).Needs(0x7000, TaskNeedKind.Unknown, thread: 3, trust: Trust.Derived)
            .WaitsForTask(1, 0x7000).WaitsForTask(2, 0x7000)
            .Pool(new PoolWorkers(2, 2, 2, 2, 2), 40, logged: 2).Build()).Verdict;

        Assert.False(verdict.Kind.IsHang());
    }

    [Theory]
    [InlineData(TaskNeedKind.PoolQueue, VerdictKind.Starvation)]
    [InlineData(TaskNeedKind.Io, VerdictKind.Inconclusive)]
    public void Any_of_several_tasks_leads_to_the_queue_where_all_of_them_do(TaskNeedKind other, VerdictKind expected)
    {
        string[] worker = [.. s_wait, "Shop.Replicas.Ask", "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker)
            .Task(0x7000, TaskKind.WhenAny).Task(0x7100, TaskKind.AsyncMethod, "Shop.Replicas.Query").Task(0x7200, TaskKind.AsyncMethod,
                "Shop.Replicas.Query")
            .Needs(0x7000, TaskNeedKind.Task, other: 0x7100).Needs(0x7000, TaskNeedKind.Task, other: 0x7200)
            .Needs(0x7100, TaskNeedKind.PoolQueue).Needs(0x7200, other)
            .WaitsForTask(1, 0x7000).WaitsForTask(2, 0x7000)
            .Pool(new PoolWorkers(2, 2, 2, 1, 64), 40, logged: 2).Build()).Verdict;

        Assert.Equal(expected, verdict.Kind);
    }

    [Fact]
    public void A_body_that_was_compiled_into_a_parallel_loop_is_told_as_that()
    {
        string[] worker =
        [
            .. s_wait[..5], "System.Threading.Tasks.Parallel+<>c__DisplayClass19_0<System.__Canon, System.Int32>.<ForWorker>b__1", "System.Threading.Tasks.TaskReplicator+Replica.Execute",
            "System.Threading.ThreadPoolWorkQueue.Dispatch",
        ];
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker)
            .Task(0x7000, TaskKind.AsyncMethod, "Shop.Feeds.Fetch").Needs(0x7000, TaskNeedKind.PoolQueue).WaitsForTask(1,
                0x7000).WaitsForTask(2, 0x7000)
            .Pool(new PoolWorkers(2, 2, 2, 2, 2), 40).Build()).Verdict;

        Assert.Contains("blocked in the body of a parallel loop on async method Feeds.Fetch", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_worker_without_an_item_that_spins_before_it_sleeps_is_idle()
    {
        Verdict verdict = Triage.Judge(SnapshotBuilder.Linux()
            .Thread(1, "System.Threading.Thread.YieldInternal", "System.Threading.LowLevelLifoSemaphore.Wait",
                "System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart").Build()).Verdict;

        Assert.Equal(VerdictKind.NotHung, verdict.Kind);
    }

    private static Verdict Judge(string blocks)
    {
        string[] worker = [.. s_wait, blocks, "System.Threading.ThreadPoolWorkQueue.Dispatch"];
        return Triage.Judge(SnapshotBuilder.Linux().Thread(1, worker).Thread(2, worker).Pool(new PoolWorkers(2, 2, 2, 2, 2), 40).Build()).Verdict;
    }
}
