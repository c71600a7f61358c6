using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Rules;

public sealed class ManagedLockCycleRuleTests
{
    private static readonly LockId s_a = SnapshotBuilder.Monitor(0xa000);
    private static readonly LockId s_b = SnapshotBuilder.Monitor(0xb000);
    private static readonly LockId s_c = new(LockKind.ManagedLock, new Address(0xc000));
    private static readonly LockId s_d = SnapshotBuilder.Monitor(0xd000);

    [Fact]
    public void Three_threads_in_a_circle_are_one_deadlock_in_order_with_their_victims()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(9, "System.Threading.Monitor.Enter_Slowpath", "App.Transfer")
            .Thread(3, "System.Threading.Monitor.Enter_Slowpath", "App.Audit")
            .Thread(5, "System.Threading.Lock.TryEnterSlow", "App.Close")
            .Thread(7, "System.Threading.Monitor.Enter_Slowpath", "App.Report")
            .Thread(8, "System.Threading.Monitor.Enter_Slowpath", "App.Print")
            .Lock(s_a, 9, "App.Account").Lock(s_b, 3, "App.Ledger").Lock(s_c, 5, "System.Threading.Lock").Lock(s_d, 7, "App.Printer")
            .Waits(9, s_b).Waits(3, s_c).Waits(5, s_a).Waits(7, s_a).Waits(8, s_d)
            .Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal(VerdictKind.Deadlock, verdict.Kind);
        Assert.Equal(Confidence.Certain, verdict.Confidence);
        Assert.Equal("HT1001", verdict.Rule?.Id);
        Assert.Equal(
            ["thread 0 (0x9)", "monitor of App.Ledger (0xb000)", "thread 1 (0x3)", "Lock of System.Threading.Lock (0xc000)", "thread 2 (0x5)", "monitor of App.Account (0xa000)"],
            verdict.Chain.Select(link => link.From.Label));
        Assert.Equal("thread 0 (0x9)", verdict.Chain[^1].To.Label);
        Assert.Equal(["thread 3 (0x7)", "thread 4 (0x8)"], verdict.Victims.Select(victim => victim.Label));
        Assert.EndsWith("which is in the circle", verdict.Victims[0].Role!.Text, StringComparison.Ordinal);
        Assert.EndsWith("which waits behind the circle itself", verdict.Victims[1].Role!.Text, StringComparison.Ordinal);
        Assert.Contains(verdict.Evidence, evidence => evidence.Frame?.Text == "App.Transfer");
    }

    [Fact]
    public void A_long_chain_without_a_circle_is_no_deadlock()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux()
            .Thread(1, "App.Compute").Thread(2, "System.Threading.Monitor.Enter_Slowpath").Thread(3, "System.Threading.Monitor.Enter_Slowpath")
            .Lock(s_a, 1).Lock(s_b, 2)
            .Waits(2, s_a).Waits(3, s_b)
            .Build();

        Assert.Equal(VerdictKind.NotHung, Triage.Judge(snapshot).Verdict.Kind);
    }

    [Fact]
    public void A_circle_that_a_time_out_ends_is_no_deadlock_and_is_not_hidden()
    {
        ProcessSnapshot snapshot = Pair().Waits(1, s_b, TimeSpan.FromSeconds(30)).Waits(2, s_a).Build();

        TriageResult result = Triage.Judge(snapshot);

        Assert.Equal(VerdictKind.NotHung, result.Verdict.Kind);
        Assert.Equal(Severity.Warning, Assert.Single(result.Findings).Severity);
        Assert.Contains(result.Verdict.Evidence, evidence => evidence.Claim.Text.Contains("timeout", StringComparison.Ordinal));
    }

    [Fact]
    public void A_circle_whose_timeout_is_of_hours_is_a_deadlock_and_says_so()
    {
        ProcessSnapshot snapshot = Pair().Waits(1, s_b, TimeSpan.FromHours(2)).Waits(2, s_a).Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal((VerdictKind.Deadlock, Confidence.Certain), (verdict.Kind, verdict.Confidence));
        Assert.Contains("a wait has a timeout, of more than 5 min", verdict.ConfidenceReason, StringComparison.Ordinal);
        Assert.Single(verdict.Evidence, evidence => evidence.Claim.Text.EndsWith(", with a timeout of 2 h", StringComparison.Ordinal));
    }

    [Fact]
    public void Who_goes_round_until_told_to_end_is_not_kept_waiting_by_who_would_tell()
    {
        ProcessSnapshot snapshot = Pair().Waits(1, s_b, Timeout.InfiniteTimeSpan).Waits(2, s_a, Timeout.InfiniteTimeSpan)
            .Thread(3, "System.Threading.WaitHandle.WaitOneNoCheck", "App.Telemetry.Beat").Polls(3, "App.Telemetry.Beat", "App.Telemetry._stop", 1)
            .Thread(4, "System.Threading.Thread.Sleep", "App.Reader.Await").Polls(4, "App.Reader.Await", "App.Reader._loaded", 1)
            .Build();

        Verdict verdict = Triage.Judge(snapshot).Verdict;

        Assert.Equal(VerdictKind.Deadlock, verdict.Kind);
        Assert.Equal(new ThreadId(4), Assert.Single(verdict.Victims).Thread);
    }

    [Theory]
    [InlineData(true, VerdictKind.NotHung)]
    [InlineData(false, VerdictKind.Deadlock)]
    [InlineData(null, VerdictKind.Deadlock)]
    public void The_system_call_tells_whether_a_wait_without_a_recorded_time_out_has_one(bool? hasTimeout, VerdictKind expected)
    {
        ProcessSnapshot snapshot = Pair().Waits(1, s_b).WithUnknownTimeout().Waits(2, s_a).Build();

        Assert.Equal(expected, Triage.Judge(SystemCalls.With(snapshot, 1, "futex", hasTimeout)).Verdict.Kind);
    }

    [Fact]
    public void A_thread_that_waits_for_a_pulse_does_not_wait_for_the_owner()
    {
        ProcessSnapshot snapshot = Pair().Waits(1, s_b, kind: WaitKind.Pulse).Waits(2, s_a).Build();

        Assert.NotEqual(VerdictKind.Deadlock, Triage.Judge(snapshot).Verdict.Kind);
    }

    [Theory]
    [InlineData(Trust.Read, Confidence.Certain)]
    [InlineData(Trust.Derived, Confidence.Likely)]
    [InlineData(Trust.Scanned, Confidence.Possible)]
    [InlineData(Trust.Assumed, Confidence.Possible)]
    public void The_weakest_link_sets_the_confidence(Trust trust, Confidence expected)
    {
        ProcessSnapshot snapshot = Pair().Waits(1, s_b, trust: trust).Waits(2, s_a).Build();

        Assert.Equal(expected, Triage.Judge(snapshot).Verdict.Confidence);
    }

    [Fact]
    public void Unseen_locks_are_inconclusive_with_the_reason()
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Linux().Thread(1, "App.Main").ManagedUnknown("the heap is not in the core").Build();

        TriageResult result = Triage.Judge(snapshot);

        Assert.Equal(VerdictKind.Inconclusive, result.Verdict.Kind);
        Assert.Contains(result.Verdict.Gaps, gap => gap.Why == "the heap is not in the core");
        Assert.Equal(RuleOutcomeKind.Blind, result.Rules.Single(report => report.Rule.Id == "HT1001").Outcome.Kind);
    }

    [Fact]
    public void The_signature_is_the_same_whatever_the_ids_and_addresses_are()
    {
        string Sign(uint first, uint second, ulong address) => Triage.Judge(SnapshotBuilder.Linux()
            .Thread(first, "System.Threading.Monitor.Enter_Slowpath", "App.Transfer")
            .Thread(second, "System.Threading.Monitor.Enter_Slowpath", "App.Audit")
            .Lock(SnapshotBuilder.Monitor(address), first).Lock(SnapshotBuilder.Monitor(address + 8), second)
            .Waits(first, SnapshotBuilder.Monitor(address + 8)).Waits(second, SnapshotBuilder.Monitor(address))
            .Build()).Verdict.Signature.Text;

        Assert.Equal(Sign(1, 2, 0x1000), Sign(77, 66, 0x9000));
        Assert.Contains("App.Transfer", Sign(1, 2, 0x1000), StringComparison.Ordinal);
    }

    private static SnapshotBuilder Pair() => SnapshotBuilder.Linux()
        .Thread(1, "System.Threading.Monitor.Enter_Slowpath").Thread(2, "System.Threading.Monitor.Enter_Slowpath")
        .Lock(s_a, 1).Lock(s_b, 2);
}
