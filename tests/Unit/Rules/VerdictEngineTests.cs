using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class VerdictEngineTests
{
    [Fact]
    public void A_rule_that_breaks_is_failed_and_never_clean()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux().Thread(1, "System.Threading.Thread.Sleep").Build();

        TriageResult result = Triage.Judge(Case.Of(snapshot), [.. RuleCatalog.All, new BrokenRule()]);

        Assert.True(result.HasFailedRule);
        Assert.Equal(VerdictKind.Inconclusive, result.Verdict.Kind);
        Assert.Contains(result.Verdict.Gaps, gap => gap.Why.Contains("on purpose", StringComparison.Ordinal));
    }

    [Fact]
    public void A_healthy_process_says_what_its_threads_do()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(1, "win32u!NtUserGetMessage", "user32!GetMessageW")
            .Thread(2, "ntdll!ZwWaitForWorkViaWorkerFactory")
            .Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal(VerdictKind.NotHung, verdict.Kind);
        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text == "1 thread waiting for a message");
        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text == "1 thread idle in a pool");
        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text == "the loader lock is free");
    }

    [Fact]
    public void What_was_stopped_before_its_end_is_not_called_healthy_and_says_so_first()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows().Thread(1, "win32u!NtUserGetMessage", "user32!GetMessageW").Build();

        Verdict verdict = Triage.Judge(snapshot with { Stopped = new Gap("all that was not read yet", "stopped after 0.3 s") }).Verdict;

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(snapshot).Verdict.Kind);
        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Equal("stopped after 0.3 s", verdict.Gaps[0].Why);
    }

    [Fact]
    public void Nothing_is_called_healthy_beside_a_loss()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows().Thread(1, "win32u!NtUserGetMessage", "user32!GetMessageW").Build();
        Gap gap = new("stack of thread 1", "the file is cut off");

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(snapshot with { Gaps = [gap] }).Verdict.Kind);
        Verdict verdict = Triage.Judge(snapshot with { Gaps = [gap with { IsLoss = true }] }).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Contains("the file is cut off", verdict.Title.Text, StringComparison.Ordinal);
        Assert.True(Assert.Single(verdict.Gaps).IsLoss);
    }

    [Theory]
    [InlineData("RtlEnterCriticalSection")]
    [InlineData("RtlRunOnceBeginInitialize")] // another thread initializes what both need
    [InlineData("RtlRunOnceExecuteOnce")]
    public void A_thread_at_a_lock_that_could_not_be_found_is_not_called_healthy(string function)
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(1, "ntdll!NtWaitForAlertByThreadId", "ntdll!", $"ntdll!{function}", "app!save").Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Contains(verdict.Gaps, gap => gap.Why.Contains(function, StringComparison.Ordinal));
    }

    [Fact]
    public void Beside_a_hang_that_is_explained_a_wait_that_is_not_stays_a_gap()
    {
        LockId slept = SnapshotBuilder.Section(0xa000), read = SnapshotBuilder.Section(0xb000);
        Verdict verdict = Triage.Judge(SnapshotBuilder.Windows()
            .Thread(1, new ThreadOptions { Sleep = Timeout.InfiniteTimeSpan }, "ntdll!NtDelayExecution", "app!").Lock(slept, 1)
            .Thread(2, "ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!").Waits(2, slept)
            .Thread(3, "ntdll!NtReadFile", "app!").Lock(read, 3)
            .Thread(4, "ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!").Waits(4, read)
            .Build()).Verdict;

        Assert.Equal("HT3009", verdict.Rule?.Id);
        Assert.Equal("what ends the wait of thread 3 (0x4)", Assert.Single(verdict.Gaps).What);
    }

    [Fact]
    public void A_process_of_which_no_stack_tells_anything_is_not_called_healthy()
    {
        Gap stopped = new("rest of the stack", "the unwind data of ntdll.dll+0xeb84 is not in the dump");
        SnapshotBuilder builder = SnapshotBuilder.Windows()
            .Thread(1, new ThreadOptions { StackStopped = stopped }, "ntdll!").Thread(2, new ThreadOptions { StackStopped = stopped }, "ntdll!");

        Verdict verdict = Triage.Judge(builder.Build()).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Equal(new Gap("what the threads do", stopped.Why), verdict.Gaps[0]);
        Assert.Equal("what 2 of 3 threads do", Triage.Judge(builder.Thread(3, "win32u!NtUserGetMessage").Build()).Verdict.Gaps[0].What);
    }

    [Fact]
    public void A_thread_that_waits_says_for_what_and_who_holds_it()
    {
        LockId monitor = SnapshotBuilder.Monitor(0x1000);
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(1, "App.Compute").Thread(2, "System.Threading.Monitor.Enter_Slowpath")
            .Lock(monitor, 1, "App.Account").Waits(2, monitor).Build();

        ThreadAssessment waiter = Triage.Judge(snapshot).Threads[1];

        Assert.Equal(ThreadActivity.WaitsForLock, waiter.State);
        Assert.Equal("monitor of App.Account (0x1000), held by thread 0 (0x1)", waiter.WaitsFor?.Label.Text);
    }

    [Fact]
    public void Rule_ids_are_unique_and_ordered()
        => Assert.Equal(RuleCatalog.All.Select(rule => rule.Info.Id).Distinct().Order(StringComparer.Ordinal), RuleCatalog.All.Select(rule => rule.Info.Id));

    private sealed class BrokenRule : IRule
    {
        public RuleInfo Info { get; } = new("HT9999", "broken rule", "Breaks.");

        public RuleOutcome Evaluate(RuleContext context) => throw new InvalidOperationException("on purpose");
    }
}
