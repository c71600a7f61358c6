using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

/// <summary>The parallel loader: who works a load off need not be who holds the loader lock.</summary>
public sealed class LoadOwnerTests
{
    private const uint Victim = 0x107;
    private const uint LoadOwner = 0x108;
    private const uint LockOwner = 0x114;

    private static readonly ThreadOptions s_isLoadOwner = new() { IsLoadOwner = true };
    private static readonly ThreadOptions s_busy = new() { Cpu = new CpuTime(TimeSpan.FromMinutes(134), TimeSpan.Zero), Life = TimeSpan.FromMinutes(135) };
    private static readonly string[] s_drains = ["ntdll!NtWaitForSingleObject", "ntdll!", "ntdll!", "ntdll!LdrLoadDll", "KERNELBASE!LoadLibraryExW", "app!"];
    private static readonly string[] s_starts = ["ntdll!NtWaitForSingleObject", "ntdll!", "ntdll!LdrInitializeThunk"];
    private static readonly string[] s_entersLock = ["ntdll!NtWaitForAlertByThreadId", "ntdll!RtlEnterCriticalSection", "ntdll!", "ntdll!LdrLoadDll", "app!"];
    private static readonly string[] s_spins = ["ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "mkl_core!", "ntdll!", "ntdll!LdrShutdownThread"];
    private static readonly string[] s_waitsInDllMain = ["ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObject", "plugin!start", "ntdll!", "ntdll!LdrLoadDll", "app!"];

    [Fact]
    public void A_spinner_that_is_lock_owner_and_load_owner_is_found_once_through_the_load()
    {
        TriageResult result = Triage.Judge(SnapshotBuilder.Windows()
            .Thread(Victim, s_drains).Thread(LockOwner, s_busy with { IsLoadOwner = true }, s_spins).LoaderLock(LockOwner).Build());

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely, "HT3001"), Heading(result.Verdict));
        Assert.Single(result.Findings);
        Assert.Equal(new ThreadId(LockOwner), result.Verdict.Culprit?.Thread);
        Assert.Equal([LockKind.LoadInProgress], result.Verdict.Chain.Select(link => link.To.Lock?.Kind).OfType<LockKind>());
        Assert.Contains("holds the loader lock and is the load owner", result.Verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_load_owner_that_waits_for_the_lock_leads_on_to_the_spinner_that_holds_it()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows()
            .Thread(Victim, s_drains).Thread(LoadOwner, s_isLoadOwner, s_entersLock).Thread(LockOwner, s_busy, s_spins).LoaderLock(LockOwner, waiters: 1));

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely, "HT3001"), Heading(verdict));
        Assert.Equal(new ThreadId(LockOwner), verdict.Culprit?.Thread);
        Assert.Equal([new ThreadId(Victim), new ThreadId(LoadOwner)], verdict.Victims.Select(victim => victim.Thread!.Value));
        Assert.Equal(
            [LockKind.LoadInProgress, LockKind.LoaderLock], verdict.Chain.Select(link => link.To.Lock?.Kind).OfType<LockKind>());
    }

    [Fact]
    public void A_spinning_load_owner_is_named_though_the_lock_is_free()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows().Thread(Victim, s_drains).Thread(LoadOwner, s_busy with { IsLoadOwner = true }, s_spins));

        Assert.Equal((VerdictKind.SpinningOwner, Confidence.Likely, "HT3001"), Heading(verdict));
        Assert.Equal(new ThreadId(LoadOwner), verdict.Culprit?.Thread);
    }

    [Fact]
    public void A_spinning_lock_owner_is_not_blamed_for_a_load_that_another_thread_computes_on()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows()
            .Thread(Victim, s_drains).Thread(LoadOwner, s_busy with { IsLoadOwner = true }, "plugin!unpack", "ntdll!", "ntdll!LdrLoadDll")
            .Thread(LockOwner, s_busy, s_spins).LoaderLock(LockOwner));

        Assert.Equal((VerdictKind.BusyOwner, "HT3005"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Equal(new ThreadId(LoadOwner), verdict.Culprit?.Thread);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_DllMain_of_the_load_owner_that_waits_for_a_thread_at_its_start_is_a_deadlock(bool isLockKnown)
    {
        SnapshotBuilder process = SnapshotBuilder.Windows().Thread(LoadOwner, s_isLoadOwner, s_waitsInDllMain).Thread(Victim, s_starts).LoaderLock(LoadOwner);

        Verdict verdict = Judge(isLockKnown ? process : process.LoaderLockUnknown("not in the dump"));

        Assert.Equal((VerdictKind.Deadlock, Confidence.Likely, "HT3002"), Heading(verdict));
        Assert.Equal(new ThreadId(LoadOwner), verdict.Culprit?.Thread);
        Assert.Equal(LockKind.LoadInProgress, verdict.Chain[1].To.Lock?.Kind);
    }

    [Fact]
    public void A_join_of_a_thread_that_needs_the_load_is_a_certain_deadlock_and_no_second_finding()
    {
        TriageResult result = Triage.Judge(SnapshotBuilder.Windows()
            .Thread(LoadOwner, s_isLoadOwner, s_waitsInDllMain).Thread(Victim, s_starts).LoaderLock(LoadOwner).Joins(LoadOwner, Victim).Build());

        Assert.Equal((VerdictKind.Deadlock, Confidence.Certain, "HT3002"), Heading(result.Verdict));
        Assert.Single(result.Findings);
    }

    [Fact]
    public void Lock_owner_and_load_owner_that_wait_for_each_other_are_a_lock_cycle()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows()
            .Thread(LoadOwner, s_isLoadOwner, s_entersLock).Thread(LockOwner, s_drains).LoaderLock(LockOwner, waiters: 1));

        Assert.Equal((VerdictKind.Deadlock, "HT3004"), (verdict.Kind, verdict.Rule?.Id));
    }

    [Fact]
    public void A_load_owner_waits_for_the_worker_that_maps_its_libraries_and_for_no_idle_one()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows()
            .Thread(Victim, s_drains)
            .Thread(LoadOwner, s_isLoadOwner, s_drains)
            .Thread(0x200, new ThreadOptions { IsLoaderWorker = true }, "ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObject", "hook!check", "ntdll!", "ntdll!RtlUserThreadStart")
            .Thread(0x204, new ThreadOptions { IsLoaderWorker = true }, "ntdll!NtWaitForWorkViaWorkerFactory", "ntdll!"));

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Equal(new ThreadId(0x200), verdict.Culprit?.Thread);
        Assert.Equal(["waits for", "is held by", "waits for the work of"], verdict.Chain.Select(link => link.Edge));
        Assert.Equal([new ThreadId(LoadOwner), new ThreadId(Victim)], verdict.Victims.Select(victim => victim.Thread!.Value));
    }

    [Fact]
    public void A_load_whose_owner_has_ended_is_orphaned_once_a_start_has_waited_for_long()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows().Thread(Victim, new ThreadOptions { Life = TimeSpan.FromMinutes(5) }, s_starts).Thread(0x200, s_drains));

        Assert.Equal((VerdictKind.Orphaned, Confidence.Likely, "HT3003"), Heading(verdict));
        Assert.Equal(LockKind.LoadInProgress, verdict.Culprit?.Lock?.Kind);
        Assert.Equal(2, verdict.Victims.Count);
    }

    [Fact]
    public void An_earlier_capture_shows_a_load_to_be_abandoned()
    {
        ProcessSnapshot now = SnapshotBuilder.Windows().Thread(Victim, s_drains).Build();
        ProcessSnapshot then = SnapshotBuilder.Windows().Earlier(TimeSpan.FromSeconds(30)).Thread(Victim, new ThreadOptions { Life = TimeSpan.FromHours(1) - TimeSpan.FromSeconds(30) }, s_drains).Build();

        Assert.Equal((VerdictKind.Orphaned, Confidence.Likely, "HT3003"), Heading(Triage.Judge(Case.Of([then, now])).Verdict));
    }

    [Fact]
    public void A_load_between_two_owners_is_not_called_abandoned()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows().Thread(Victim, s_drains).Thread(0x200, new ThreadOptions { Life = TimeSpan.FromSeconds(1) }, s_starts));

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Equal(LockKind.LoadInProgress, verdict.Culprit?.Lock?.Kind);
        Assert.Contains(verdict.Gaps, gap => gap.Why == "no thread is marked as its owner");
    }

    [Theory]
    [InlineData(true, "several threads are marked as its owner")]
    [InlineData(null, "the mark of the owner is not known for every thread, and none of the others has it")]
    public void A_load_owner_that_cannot_be_told_is_a_gap(bool? other, string why)
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows()
            .Thread(Victim, new ThreadOptions { Life = TimeSpan.FromHours(1) }, s_starts)
            .Thread(0x200, new ThreadOptions { IsLoadOwner = other }, "ntdll!NtDelayExecution", "app!")
            .Thread(0x204, new ThreadOptions { IsLoadOwner = other ?? false }, "ntdll!NtDelayExecution", "app!"));

        Assert.Equal(VerdictKind.Inconclusive, verdict.Kind);
        Assert.Contains(verdict.Gaps, gap => gap.Why == why);
    }

    [Fact]
    public void An_owner_of_both_that_has_ended_orphans_the_lock()
    {
        Verdict verdict = Judge(SnapshotBuilder.Windows().Thread(Victim, s_drains).LoaderLock(LockOwner));

        Assert.Equal((VerdictKind.Orphaned, "HT3003"), (verdict.Kind, verdict.Rule?.Id));
        Assert.Equal(LockKind.LoaderLock, verdict.Culprit?.Lock?.Kind);
    }

    [Fact]
    public void A_load_that_nobody_waits_for_is_no_hang()
        => Assert.False(Judge(SnapshotBuilder.Windows().Thread(LoadOwner, s_isLoadOwner, s_waitsInDllMain).LoaderLock(LoadOwner)).Kind.IsHang());

    private static Verdict Judge(SnapshotBuilder process) => Triage.Judge(process.Build()).Verdict;

    private static (VerdictKind Kind, Confidence? Confidence, string? Rule) Heading(Verdict verdict) => (verdict.Kind, verdict.Confidence, verdict.Rule?.Id);
}
