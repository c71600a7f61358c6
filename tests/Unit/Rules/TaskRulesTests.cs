using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class TaskRulesTests
{
    private const ulong Work = 0xa000;
    private const ulong Inner = 0xb000;
    private const ulong Last = 0xc000;

    private static readonly string[] s_handler =
    [
        "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.SpinThenBlockingWait", "System.Threading.Tasks.Task.InternalWait",
        "System.Threading.Tasks.Task<System.Int32>.GetResultCore", "App.Store.Load", "App.Window.Button_Click", "(dynamicClass).IL_STUB_ReversePInvoke",
        "App.UiLoop.Run", "App.Program.Main",
    ];

    [Fact]
    public void The_verdict_blames_the_handler_the_task_and_the_thread()
    {
        Verdict verdict = Judge(Ui().Task(Work, TaskKind.AsyncMethod, "App.Store.WorkAsync").Needs(Work, TaskNeedKind.Context, thread: 1).WaitsForTask(1, Work));

        Assert.Equal((VerdictKind.Deadlock, Confidence.Certain, "HT2001"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal(
            "The UI thread, thread 0 (0x1), is blocked in Task.Result inside Store.Load, called by Window.Button_Click; "
                + "the task it waits for is async method Store.WorkAsync, whose continuation needs this very thread",
            verdict.Title);
        Assert.Equal(new ThreadId(1), verdict.Culprit?.Thread);
    }

    [Fact]
    public void A_task_behind_others_that_needs_the_thread_is_the_same_deadlock()
    {
        Verdict verdict = Judge(Ui()
            .Task(Work, TaskKind.Unwrap).Needs(Work, TaskNeedKind.Task, Inner)
            .Task(Inner, TaskKind.AsyncMethod, "App.Store.InnerAsync").Needs(Inner, TaskNeedKind.Task, Last).Needs(Inner, TaskNeedKind.Context, thread: 1)
            .Task(Last, TaskKind.Delay).Needs(Last, TaskNeedKind.Timer, timer: TimeSpan.FromHours(1))
            .WaitsForTask(1, Work));

        Assert.Equal((VerdictKind.Deadlock, "HT2001"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Contains("which needs async method Store.InnerAsync", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_context_of_another_thread_that_is_in_its_loop_is_no_deadlock()
    {
        Verdict verdict = Judge(Ui()
            .Thread(2, "System.Threading.WaitHandle.WaitOneNoCheck", "App.OtherLoop.Run", "App.Program.Start")
            .UiThread(2, "App.OtherLoop", "App.OtherLoop.Run")
            .Task(Work, TaskKind.AsyncMethod, "App.Store.WorkAsync").Needs(Work, TaskNeedKind.Context, thread: 2)
            .WaitsForTask(1, Work));

        Assert.Equal(VerdictKind.SlowWait, verdict.Kind);
    }

    [Fact]
    public void Two_contexts_that_wait_for_each_other_are_one_deadlock()
    {
        Verdict verdict = Judge(Ui()
            .Thread(2, ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.Wait", "App.Tray.Click", "App.OtherLoop.Run"])
            .UiThread(2, "App.OtherLoop", "App.OtherLoop.Run")
            .Task(Work, TaskKind.AsyncMethod, "App.A").Needs(Work, TaskNeedKind.Context, thread: 2)
            .Task(Inner, TaskKind.AsyncMethod, "App.B").Needs(Inner, TaskNeedKind.Context, thread: 1)
            .WaitsForTask(1, Work).WaitsForTask(2, Inner));

        Assert.Equal((VerdictKind.Deadlock, "HT2001"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Equal(4, verdict.Chain.Count);
    }

    [Fact]
    public void A_deadlock_that_a_time_out_ends_is_a_warning()
    {
        TriageResult result = Triage.Judge(Ui()
            .Task(Work, TaskKind.AsyncMethod, "App.Store.WorkAsync").Needs(Work, TaskNeedKind.Context, thread: 1)
            .WaitsForTask(1, Work, TimeSpan.FromSeconds(3)).Build());

        Assert.Equal(VerdictKind.NotHung, result.Verdict.Kind);
        Assert.Equal(Severity.Warning, Assert.Single(result.Findings).Severity);
    }

    [Theory]
    [InlineData(TaskKind.WhenAny, VerdictKind.SlowWait)]
    [InlineData(TaskKind.WhenAll, VerdictKind.NeverCompleted)]
    public void Any_needs_one_and_all_need_each(TaskKind kind, VerdictKind expected)
    {
        Verdict verdict = Judge(Ui()
            .Task(Work, kind).Needs(Work, TaskNeedKind.Task, Inner).Needs(Work, TaskNeedKind.Task, Last)
            .Task(Inner, TaskKind.Promise).Needs(Inner, TaskNeedKind.Nobody)
            .Task(Last, TaskKind.Delay).Needs(Last, TaskNeedKind.Timer, timer: TimeSpan.FromHours(1))
            .WaitsForTask(1, Work));

        Assert.Equal(expected, verdict.Kind);
    }

    [Fact]
    public void A_circle_out_of_which_another_task_leads_is_no_deadlock()
    {
        Verdict verdict = Judge(Ui()
            .Task(Work, TaskKind.WhenAny).Needs(Work, TaskNeedKind.Task, Inner).Needs(Work, TaskNeedKind.Task, Last)
            .Task(Inner, TaskKind.AsyncMethod, "App.A").Needs(Inner, TaskNeedKind.Context, thread: 1)
            .Task(Last, TaskKind.Delay).Needs(Last, TaskNeedKind.Timer, timer: TimeSpan.FromHours(1))
            .WaitsForTask(1, Work));

        Assert.NotEqual(VerdictKind.Deadlock, verdict.Kind);
    }

    [Theory]
    [InlineData("App.Rates.GetAsync", "App.Rates.LoadAsync", "Rates.LoadAsync and Rates.GetAsync await each other")]
    [InlineData("App.Tree.SumAsync", "App.Tree.SumAsync", "2 calls of Tree.SumAsync await each other")]
    public void Async_methods_that_await_each_other_are_named_without_a_thread_that_waits(string first, string second, string title)
    {
        Verdict verdict = Judge(SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep", "App.Program.Main")
            .Task(Work, TaskKind.AsyncMethod, first).Needs(Work, TaskNeedKind.Task, Inner)
            .Task(Inner, TaskKind.AsyncMethod, second).Needs(Inner, TaskNeedKind.Task, Work));

        Assert.Equal((VerdictKind.Deadlock, Confidence.Certain), (verdict.Kind, verdict.Confidence));
        Assert.Equal(title, verdict.Title.Text);
    }

    [Theory]
    [InlineData(TaskNeedKind.Nobody, VerdictKind.NeverCompleted)]
    [InlineData(TaskNeedKind.Unknown, VerdictKind.Inconclusive)]
    [InlineData(TaskNeedKind.PoolQueue, VerdictKind.SlowWait)]
    [InlineData(TaskNeedKind.Io, VerdictKind.SlowWait)]
    public void The_end_of_what_a_UI_thread_waits_for_makes_the_verdict(TaskNeedKind need, VerdictKind expected)
        => Assert.Equal(expected, Judge(Ui().Task(Work, TaskKind.Promise).Needs(Work, need).WaitsForTask(1, Work)).Kind);

    [Theory]
    [InlineData(TaskNeedKind.Nobody, VerdictKind.NeverCompleted)]
    [InlineData(TaskNeedKind.Unknown, VerdictKind.Inconclusive)]
    [InlineData(TaskNeedKind.PoolQueue, VerdictKind.NotHung)]
    [InlineData(TaskNeedKind.Io, VerdictKind.NotHung)]
    public void A_thread_of_no_user_interface_may_wait_for_what_can_come(TaskNeedKind need, VerdictKind expected)
        => Assert.Equal(expected, Judge(Worker().Task(Work, TaskKind.Promise).Needs(Work, need).WaitsForTask(1, Work)).Kind);

    [Fact]
    public void Whoever_waits_for_a_lock_behind_a_task_of_which_nothing_is_known_is_not_called_healthy()
    {
        LockId ledger = SnapshotBuilder.Monitor(0xd000);
        Verdict verdict = Judge(Worker()
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "App.Report.Write").Lock(ledger, 1, "App.Ledger").Waits(2, ledger)
            .Task(Work, TaskKind.Promise).Needs(Work, TaskNeedKind.Unknown).WaitsForTask(1, Work));

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
    }

    [Theory]
    [InlineData("App.Program.Main", VerdictKind.NotHung)]
    [InlineData("App.Server.Stop", VerdictKind.NeverCompleted)]
    public void A_Main_that_waits_for_its_own_promise_may_be_meant_to(string innermost, VerdictKind expected)
    {
        string[] wait = ["System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.Wait"];
        string[] own = innermost.EndsWith("Main", StringComparison.Ordinal) ? [innermost] : [innermost, "App.Program.Main"];

        Verdict verdict = Judge(SnapshotBuilder.Linux().Thread(1, [.. wait, .. own]).Task(Work, TaskKind.Promise).Needs(Work, TaskNeedKind.Nobody).WaitsForTask(1, Work));

        Assert.Equal(expected, verdict.Kind);
        Assert.True(expected == VerdictKind.NotHung || verdict.Confidence == Confidence.Possible);
    }

    [Fact]
    public void A_delay_without_end_is_sleep_unless_somebody_needs_the_sleeper()
    {
        SnapshotBuilder alone = Worker().Task(Work, TaskKind.Delay).Needs(Work, TaskNeedKind.Nobody).WaitsForTask(1, Work);
        LockId ledger = SnapshotBuilder.Monitor(0xd000);

        Assert.Equal(VerdictKind.NotHung, Judge(alone).Kind);
        Assert.Equal(VerdictKind.NeverCompleted, Judge(alone
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "App.Report.Write").Lock(ledger, 1, "App.Ledger").Waits(2, ledger)).Kind);
    }

    [Fact]
    public void Tasks_that_were_not_captured_leave_the_verdict_open()
    {
        ProcessSnapshot snapshot = Worker().Build();
        ManagedFacts old = new() { Runtime = snapshot.Managed!.Value.Runtime, Locks = snapshot.Managed.Value.Locks, Waits = snapshot.Managed.Value.Waits };

        Verdict verdict = Triage.Judge(snapshot with { Managed = Known.Derived(old) }).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Contains(verdict.Gaps, gap => gap is { What: "tasks", Why: "they were not captured" });
    }

    [Fact]
    public void A_ring_of_very_many_tasks_ends_in_a_verdict()
    {
        const int count = 20_000;
        SnapshotBuilder builder = Ui();
        for (uint index = 0; index < count; index++)
        {
            builder.Task(Work + index, TaskKind.AsyncMethod).Needs(Work + index, TaskNeedKind.Task, Work + ((index + 1) % count));
        }

        Assert.Equal("HT2004", Judge(builder.WaitsForTask(1, Work)).Rule?.Id);
    }

    [Theory]
    [InlineData(true, VerdictKind.Deadlock)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void A_promise_is_in_the_hands_of_the_thread_that_alone_leads_to_it(bool isAlone, VerdictKind expected)
    {
        LockId gate = new(LockKind.Monitor, new Address(0x5000));
        SnapshotBuilder builder = SnapshotBuilder.Linux()
            .Thread(1, [.. s_handler.Take(4), "App.Book.Add", "App.Program.Main"])
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "App.Book.get_Count", "App.View.Answer")
            .Lock(gate, 1).Waits(2, gate)
            .Task(Work, TaskKind.Promise).Needs(Work, TaskNeedKind.Unknown, thread: 2).WaitsForTask(1, Work);

        Verdict verdict = Judge(isAlone ? builder.InHandsOf(Work, 1, 2) : builder);

        Assert.Equal((expected, isAlone ? "HT2004" : null), (verdict.Kind, verdict.Rule?.Id));
        Assert.Equal(isAlone, verdict.Chain.Any(link => link.Edge == "is in the hands of"));
    }

    private static Verdict Judge(SnapshotBuilder builder) => Triage.Judge(builder.Build()).Verdict;

    private static SnapshotBuilder Ui()
        => SnapshotBuilder.Linux().Thread(1, s_handler).UiThread(1, "System.Windows.Forms.WindowsFormsSynchronizationContext", "App.UiLoop.Run");

    private static SnapshotBuilder Worker()
        => SnapshotBuilder.Linux().Thread(1, "System.Threading.Monitor.Wait", "System.Threading.Tasks.Task.Wait", "App.Worker.Run");
}
