using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class LoaderLockSpinnerRuleTests
{
    private static readonly string[] s_spinnerStack =
    [
        "ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "mkl_core!", "mkl_core!", "ntdll!", "ntdll!LdrShutdownThread",
        "ntdll!RtlExitUserThread", "KERNEL32!BaseThreadInitThunk", "ntdll!RtlUserThreadStart",
    ];

    private static readonly string[] s_victimStack =
        ["ntdll!NtWaitForSingleObject", "ntdll!", "ntdll!", "ntdll!LdrLoadDll", "KERNELBASE!LoadLibraryExW", "mkl_rt!mkl_malloc", "app!"];

    private static readonly ThreadOptions s_busy = new() { Cpu = new CpuTime(TimeSpan.FromSeconds(8_068.671), TimeSpan.Zero), Life = TimeSpan.FromSeconds(8_100) };

    [Fact]
    public void The_real_case_names_owner_victim_and_chain()
    {
        Verdict verdict = Triage.Judge(Case().Build()).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely, "HT3001"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal(new ThreadId(0x6710), verdict.Culprit?.Thread);
        Assert.Contains("SwitchToThread in mkl_core", verdict.Culprit?.Role!.Text, StringComparison.Ordinal);
        Assert.Contains("thread detach", verdict.Culprit?.Role!.Text, StringComparison.Ordinal);
        Assert.Equal(new ThreadId(0x1a2c), Assert.Single(verdict.Victims).Thread);
        Assert.Equal(new ThreadId(0x1a2c), verdict.Chain[0].From.Thread);
        Assert.Contains("waits for the load owner", verdict.Chain[0].Edge, StringComparison.Ordinal);
        Assert.Equal(LockKind.LoaderLock, verdict.Chain[0].To.Lock?.Kind);
        Assert.Equal(new ThreadId(0x6710), verdict.Chain[1].To.Thread);
        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text.Contains("2 h 14 min", StringComparison.Ordinal));
        Assert.Contains(verdict.Evidence, evidence => evidence.Claim.Text.StartsWith("it is a deadlock if the loop", StringComparison.Ordinal));
    }

    [Fact]
    public void A_held_lock_that_nobody_waits_for_is_no_hang()
    {
        Verdict verdict = Triage.Judge(SnapshotBuilder.Windows().Thread(0x6710, s_busy, s_spinnerStack).LoaderLock(0x6710).Build()).Verdict;

        Assert.False(verdict.Kind.IsHang());
    }

    [Fact]
    public void A_held_lock_among_threads_that_could_not_be_seen_is_not_called_healthy()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows().Thread(0x6710, s_busy, "app!load").Thread(0x1a2c).LoaderLock(0x6710).Build();

        Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(snapshot).Verdict.Kind);
    }

    [Fact]
    public void A_free_lock_is_no_hang_whatever_its_former_owner_does()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, s_busy, s_spinnerStack).Thread(0x1a2c, "ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObjectEx", "app!").Build();

        Assert.False(Triage.Judge(snapshot).Verdict.Kind.IsHang());
    }

    [Fact]
    public void A_DllMain_that_waits_below_LdrLoadDll_is_not_taken_for_a_wait_for_the_loader()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, s_busy, s_spinnerStack)
            .Thread(0x1a2c, "ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObjectEx", "plugin!DllMain", "ntdll!", "ntdll!LdrLoadDll", "app!")
            .LoaderLock(0x6710)
            .Build();

        Assert.False(Triage.Judge(snapshot).Verdict.Kind.IsHang());
    }

    [Fact]
    public void Without_CPU_times_the_spin_is_only_possible()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, new ThreadOptions { Cpu = null, Life = null }, s_spinnerStack)
            .Thread(0x1a2c, s_victimStack).LoaderLock(0x6710).Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains(verdict.Gaps, gap => gap.What.Contains("CPU", StringComparison.Ordinal));
    }

    [Fact]
    public void An_owner_caught_in_one_yield_without_CPU_spent_is_no_spinner()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, s_spinnerStack).Thread(0x1a2c, s_victimStack).LoaderLock(0x6710).Build();

        Assert.NotEqual(VerdictKind.SpinningOwner, Triage.Judge(snapshot).Verdict.Kind);
    }

    [Fact]
    public void An_owner_that_waits_itself_is_no_spinner()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, "ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObjectEx", "plugin!DllMain", "ntdll!", "ntdll!LdrLoadDll", "app!")
            .Thread(0x1a2c, s_victimStack).LoaderLock(0x6710).Build();

        Assert.Equal("HT3002", Triage.Judge(snapshot).Verdict.Rule?.Id);
    }

    [Fact]
    public void An_owner_that_is_gone_is_no_spinner()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows().Thread(0x1a2c, s_victimStack).LoaderLock(0x6710).Build();

        Assert.Equal(VerdictKind.Orphaned, Triage.Judge(snapshot).Verdict.Kind);
    }

    [Theory]
    [InlineData(12, VerdictKind.SpinningOwner)]
    [InlineData(3_000, VerdictKind.Inconclusive)]
    public void A_dump_that_was_slow_to_write_does_not_hide_the_only_busy_thread(double life, VerdictKind expected)
    {
        ThreadOptions spinner = new() { Cpu = new CpuTime(TimeSpan.FromSeconds(1.5), TimeSpan.Zero), Life = TimeSpan.FromSeconds(life) };
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, spinner, s_spinnerStack).Thread(0x1a2c, s_victimStack).LoaderLock(0x6710).Build();

        Assert.Equal(expected, Triage.Judge(snapshot).Verdict.Kind);
    }

    [Fact]
    public void A_spinner_caught_just_behind_its_system_call_is_still_a_spinner()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, s_busy, s_spinnerStack[1..]).Thread(0x1a2c, s_victimStack).LoaderLock(0x6710).Build();

        Assert.Equal(VerdictKind.SpinningOwner, Triage.Judge(snapshot).Verdict.Kind);
    }

    [Fact]
    public void A_spinner_caught_between_its_yields_is_a_busy_owner_and_never_healthy()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, s_busy, "mkl_core!mkl_wait", "ntdll!", "ntdll!LdrShutdownThread").Thread(0x1a2c, s_victimStack).LoaderLock(0x6710).Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal((VerdictKind.BusyOwner, "HT3005"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Equal(new ThreadId(0x6710), verdict.Culprit?.Thread);
    }

    [Fact]
    public void A_victim_on_the_section_itself_waits_for_the_loader_lock()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, s_busy, s_spinnerStack)
            .Thread(0x1a2c, new ThreadOptions { WaitingOnLoaderLock = true }, "ntdll!NtWaitForAlertByThreadId", "ntdll!", "ntdll!RtlEnterCriticalSection", "ntdll!LdrLoadDll", "app!")
            .LoaderLock(0x6710, waiters: 1).Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal(VerdictKind.SpinningOwner, verdict.Kind);
        Assert.Equal("waits for", verdict.Chain[0].Edge);
        Assert.Equal("waits in LdrLoadDll for the loader lock", verdict.Victims[0].Role);
    }

    [Fact]
    public void An_unknown_loader_lock_is_inconclusive_with_its_reason()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(0x6710, s_busy, s_spinnerStack).LoaderLockUnknown("its memory is not in the dump").Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Contains(verdict.Gaps, gap => gap.Why == "its memory is not in the dump");
    }

    private static SnapshotBuilder Case() => SnapshotBuilder.Windows()
        .Thread(0x1a2c, s_victimStack)
        .Thread(0x6710, s_busy, s_spinnerStack)
        .Thread(0x2222, "ntdll!NtWaitForWorkViaWorkerFactory", "ntdll!", "ntdll!RtlUserThreadStart")
        .LoaderLock(0x6710);
}
