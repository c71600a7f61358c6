using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class SpinningThreadRuleTests
{
    private static readonly ThreadOptions s_busy = new() { Cpu = new CpuTime(TimeSpan.FromMinutes(50), TimeSpan.FromMinutes(5)) };
    private static readonly string[] s_yield = ["ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "worker!poll"];

    [Fact]
    public void A_spinner_that_holds_nothing_is_a_runaway_and_no_hang()
    {
        Verdict verdict = Triage.Judge(SnapshotBuilder.Windows().Thread(1, s_busy, s_yield).Build()).Verdict;

        Assert.Equal(VerdictKind.BusyNotHung, verdict.Kind);
        Assert.Contains("SwitchToThread in worker!poll", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_spinner_that_holds_what_others_wait_for_is_the_culprit()
    {
        LockId monitor = SnapshotBuilder.Monitor(0x1000);
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(1, s_busy, "System.Threading.SpinWait.SpinOnceCore", "App.WaitForFlag")
            .Thread(2, "System.Threading.Monitor.Enter_Slowpath", "App.Work")
            .Lock(monitor, 1).Waits(2, monitor).Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, "HT4001"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Equal(new ThreadId(1), verdict.Culprit?.Thread);
        Assert.Equal(new ThreadId(2), Assert.Single(verdict.Victims).Thread);
    }

    [Fact]
    public void A_busy_thread_that_does_not_yield_is_no_spinner()
        => Assert.NotEqual("HT4001", Triage.Judge(SnapshotBuilder.Windows().Thread(1, s_busy, "app!compute").Build()).Verdict.Rule?.Id);

    [Fact]
    public void A_yield_without_CPU_spent_is_no_spin()
        => Assert.Equal(VerdictKind.NotHung, Triage.Judge(SnapshotBuilder.Windows().Thread(1, s_yield).Build()).Verdict.Kind);

    [Fact]
    public void One_sign_with_the_other_unseen_is_a_gap_and_inconclusive_where_somebody_waits()
    {
        LockId section = SnapshotBuilder.Section(0x1000);
        SnapshotBuilder alone = SnapshotBuilder.Windows().Thread(1, new ThreadOptions { Cpu = null, Life = null }, s_yield);

        Verdict nobody = Triage.Judge(alone.Build()).Verdict;
        Verdict somebody = Triage.Judge(alone
            .Thread(2, "ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "app!")
            .Lock(section, 1, "app.exe+0x10").Waits(2, section).Build()).Verdict;

        Assert.Equal(VerdictKind.NotHung, nobody.Kind);
        Assert.Contains(nobody.Gaps, gap => gap.What == "CPU time of thread 0 (0x1)");
        Assert.Equal(VerdictKind.Inconclusive, somebody.Kind);
    }

    [Theory]
    [InlineData("System.Threading.SemaphoreSlim.WaitCore", false)]
    [InlineData("System.Threading.SpinWait.SpinUntil", true)]
    [InlineData("App.WaitForFlag", true)]
    public void The_short_spin_with_which_a_primitive_begins_to_wait_is_none(string caller, bool isHalfSeen)
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(1, new ThreadOptions { Cpu = null, Life = null }, "System.Threading.SpinWait.SpinOnceCore", caller, "App.Main").Build();

        Assert.Equal(isHalfSeen, Triage.Judge(snapshot).Verdict.Gaps.Any(gap => gap.What.StartsWith("CPU time of thread 0", StringComparison.Ordinal)));
    }

    [Fact]
    public void Threads_of_which_nothing_is_known_are_inconclusive()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows().Thread(1, new ThreadOptions { Cpu = null, Life = null }).Build();

        Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(snapshot).Verdict.Kind);
    }
}
