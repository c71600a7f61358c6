using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class NativeLockRulesTests
{
    private const string Wait = "ntdll!NtWaitForAlertByThreadId";
    private const string Enter = "ntdll!RtlEnterCriticalSection";

    private static readonly LockId s_a = SnapshotBuilder.Section(0xa000);
    private static readonly LockId s_b = SnapshotBuilder.Section(0xb000);

    [Fact]
    public void A_circle_of_sections_is_a_deadlock_in_order()
    {
        Verdict verdict = Triage.Judge(Pair().Waits(1, s_b, trust: Trust.Derived).Waits(2, s_a, trust: Trust.Derived).Build()).Verdict;

        Assert.Equal((VerdictKind.Deadlock, Confidence.Certain, "HT3004"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal(
            ["thread 0 (0x1)", "critical section app.exe+0x20 (0xb000)", "thread 1 (0x2)", "critical section app.exe+0x10 (0xa000)"],
            verdict.Chain.Select(link => link.From.Label));
    }

    [Fact]
    public void A_guessed_link_makes_the_circle_only_possible()
        => Assert.Equal(
            Confidence.Possible,
            Triage.Judge(Pair().Waits(1, s_b, trust: Trust.Scanned).Waits(2, s_a).Build()).Verdict.Confidence);

    [Fact]
    public void A_wait_for_any_of_several_things_leads_out_of_the_circle()
    {
        ProcessSnapshot snapshot = Pair().Waits(2, s_a).Joins(1, 2).OrAnEvent(1).Build();

        TriageResult result = Triage.Judge(snapshot);

        Assert.NotEqual(VerdictKind.Deadlock, result.Verdict.Kind);
        Assert.Equal(Severity.Warning, Assert.Single(result.Findings, finding => finding.Rule.Id == "HT3004").Severity);
    }

    [Fact]
    public void A_circle_through_the_end_of_a_thread_is_a_deadlock()
    {
        ProcessSnapshot snapshot = Pair().Waits(2, s_a).Joins(1, 2).Build();

        Assert.Equal(VerdictKind.Deadlock, Triage.Judge(snapshot).Verdict.Kind);
    }

    [Fact]
    public void A_circle_of_managed_locks_alone_is_the_monitor_rules()
    {
        LockId a = SnapshotBuilder.Monitor(0x1000);
        LockId b = SnapshotBuilder.Monitor(0x2000);
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(1, "System.Threading.Monitor.Enter_Slowpath").Thread(2, "System.Threading.Monitor.Enter_Slowpath")
            .Lock(a, 1).Lock(b, 2).Waits(1, b).Waits(2, a).Build();

        Assert.Equal("HT1001", Assert.Single(Triage.Judge(snapshot).Findings).Rule.Id);
    }

    [Fact]
    public void An_orphaned_section_without_waiters_is_no_finding()
        => Assert.Empty(Triage.Judge(SnapshotBuilder.Windows().Thread(1, "app!run").Lock(s_a, 99, "app.exe+0x10").Build()).Findings);

    [Fact]
    public void An_orphaned_section_keeps_everybody_behind_it_waiting()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(1, Wait, Enter).Thread(2, Wait, Enter)
            .Lock(s_a, 99, "app.exe+0x10").Lock(s_b, 1, "app.exe+0x20")
            .Waits(1, s_a).Waits(2, s_b).Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal(VerdictKind.Orphaned, verdict.Kind);
        Assert.Equal(s_a, verdict.Culprit?.Lock);
        Assert.Equal(2, verdict.Victims.Count);
    }

    [Theory]
    [InlineData(0x98u, false, false, Confidence.Certain)]
    [InlineData(0x99u, false, false, Confidence.Possible)] // no thread has such an id
    [InlineData(0x98u, true, false, Confidence.Possible)]
    [InlineData(0x98u, false, true, Confidence.Possible)]
    public void An_owner_has_ended_for_certain_only_if_nothing_contradicts_it(uint owner, bool isInBlock, bool isListCut, Confidence expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Windows()
            .Thread(4, new ThreadOptions { ClientId = isInBlock ? owner : 4 }, Wait, Enter).Lock(s_a, owner, "app.exe+0x10").Waits(4, s_a);
        ProcessSnapshot snapshot = builder.Build();

        Verdict verdict = Triage.Judge(isListCut ? snapshot with { Gaps = [new Gap("threads", "cut") { IsLoss = true }] } : snapshot).Verdict;

        Assert.Equal((VerdictKind.Orphaned, expected), (verdict.Kind, verdict.Confidence));
        Assert.Equal(expected == Confidence.Certain, verdict.Contradictions.Count == 0);
    }

    [Theory]
    [InlineData(1, null)]
    [InlineData(2, Confidence.Possible)]
    [InlineData(3, Confidence.Likely)]
    public void A_busy_owner_needs_a_queue(int waiters, Confidence? expected)
    {
        SnapshotBuilder builder = SnapshotBuilder.Windows()
            .Thread(1, new ThreadOptions { Cpu = new CpuTime(TimeSpan.FromMinutes(50), TimeSpan.Zero) }, "app!compute")
            .Lock(s_a, 1, "app.exe+0x10");
        for (uint id = 2; id < 2 + waiters; id++)
        {
            builder.Thread(id, Wait, Enter, "app!query").Waits(id, s_a);
        }

        Finding? finding = Triage.Judge(builder.Build()).Findings.SingleOrDefault(finding => finding.Rule.Id == "HT3005");

        Assert.Equal(expected, finding?.Confidence);
    }

    [Fact]
    public void An_owner_in_a_call_that_returns_at_once_computes()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(1, new ThreadOptions { Cpu = new CpuTime(TimeSpan.FromMinutes(50), TimeSpan.Zero) }, "ntdll!NtSetEvent", "KERNELBASE!SetEvent", "app!compute")
            .Thread(2, Wait, Enter, "app!query").Thread(3, Wait, Enter, "app!query").Thread(4, Wait, Enter, "app!query")
            .Lock(s_a, 1, "app.exe+0x10").Waits(2, s_a).Waits(3, s_a).Waits(4, s_a).Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal(VerdictKind.BusyOwner, verdict.Kind);
        Assert.Contains("computes in app!compute", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_callback_of_the_loader_that_computes_is_not_taken_for_one_that_waits()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(1, "plugin!load_tables", "ntdll!", "ntdll!LdrLoadDll", "app!")
            .Thread(2, Wait, Enter, "ntdll!LdrInitializeThunk")
            .LoaderLock(1).Build();

        Assert.DoesNotContain(Triage.Judge(snapshot).Findings, finding => finding.Rule.Id == "HT3002");
    }

    private static SnapshotBuilder Pair() => SnapshotBuilder.Windows()
        .Thread(1, Wait, Enter, "app!first").Thread(2, Wait, Enter, "app!second")
        .Lock(s_a, 1, "app.exe+0x10").Lock(s_b, 2, "app.exe+0x20");
}
