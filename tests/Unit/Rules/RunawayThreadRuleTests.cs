using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class RunawayThreadRuleTests
{
    [Fact]
    public void One_thread_that_does_all_the_work_is_named_and_nothing_hangs()
    {
        Verdict verdict = Triage.Judge(SnapshotBuilder.Windows().Thread(1, Cpu(3_000), "app!primes").Thread(2, "ntdll!NtWaitForSingleObject").Build()).Verdict;

        Assert.Equal((VerdictKind.BusyNotHung, Confidence.Likely, "HT4002"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal(new ThreadId(1), verdict.Culprit?.Thread);
        Assert.Contains("computes in app!primes+0x14 and has burned 50 min of CPU", verdict.Title.Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Evidence, item => item.Claim.Text.EndsWith("100 % of the CPU of all 2 threads", StringComparison.Ordinal));
    }

    [Fact]
    public void Beside_threads_whose_lock_is_not_in_the_input_it_may_be_the_owner_and_nothing_is_called_busy_and_not_hung()
    {
        TriageResult result = Triage.Judge(SnapshotBuilder.Windows().Thread(1, Cpu(3_000), "app!primes")
            .Thread(2, "ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!query").Thread(3, "ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!query").Build());

        Assert.Equal(VerdictKind.Inconclusive, result.Verdict.Kind);
        Assert.Contains("; 2 threads wait for a lock that could not be found, which it may hold", Assert.Single(result.Findings, finding => finding.Rule.Id == "HT4002").Title.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(3_000, 300, true)]
    [InlineData(3_000, 350, false)]
    [InlineData(370, 0, true)]
    [InlineData(350, 0, false)]
    public void It_must_have_used_a_tenth_of_its_life_and_nine_tenths_of_the_process(double seconds, double others, bool isRunaway)
        => Assert.Equal(
            isRunaway,
            Triage.Judge(SnapshotBuilder.Windows().Thread(1, Cpu(seconds), "app!primes").Thread(2, Cpu(others), "app!other").Build()).Verdict.Rule?.Id == "HT4002");

    [Fact]
    public void A_thread_that_has_just_begun_is_none()
    {
        ThreadOptions young = new() { Cpu = new CpuTime(TimeSpan.FromSeconds(0.9), TimeSpan.Zero), Life = TimeSpan.FromSeconds(0.9) };

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(SnapshotBuilder.Windows().Thread(1, young, "app!primes").Build()).Verdict.Kind);
    }

    [Theory]
    [InlineData("ntdll!NtWaitForSingleObject")]
    [InlineData("ntdll!NtDelayExecution")]
    [InlineData("ntdll!NtReadFile")]
    public void A_thread_that_was_caught_in_a_wait_is_none_whatever_it_has_used(string top)
        => Assert.Equal(VerdictKind.NotHung, Triage.Judge(SnapshotBuilder.Windows().Thread(1, Cpu(3_000), top, "app!primes").Build()).Verdict.Kind);

    [Fact]
    public void An_owner_that_others_wait_for_is_none()
    {
        LockId monitor = SnapshotBuilder.Monitor(0x1000);
        ProcessSnapshot snapshot = SnapshotBuilder.Linux().Thread(1, Cpu(3_000), "App.Compute")
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "App.Work").Lock(monitor, 1).Waits(2, monitor).Build();

        Assert.DoesNotContain(Triage.Judge(snapshot).Findings, finding => finding.Rule.Id == "HT4002");
    }

    [Fact]
    public void Without_CPU_times_the_rule_is_blind_and_the_verdict_does_not_become_inconclusive()
    {
        TriageResult result = Triage.Judge(SnapshotBuilder.Windows().Thread(1, new ThreadOptions { Cpu = null, Life = null }, "app!primes").Build());

        Assert.Equal(RuleOutcomeKind.Blind, result.Rules.Single(report => report.Rule.Id == "HT4002").Outcome.Kind);
        Assert.Equal(VerdictKind.NotHung, result.Verdict.Kind);
    }

    private static ThreadOptions Cpu(double seconds) => new() { Cpu = new CpuTime(TimeSpan.FromSeconds(seconds), TimeSpan.Zero) };
}
