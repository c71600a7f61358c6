using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;
using HangTriage.Traces;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>A dump that shows two threads in a circle, and a trace that shows what one of them did around the dump.</summary>
public sealed class OverturnedTests
{
    private static readonly TimeSpan s_capture = TimeSpan.FromSeconds(5);

    /// <summary>400 turns within 4 s, each of 2 ms less the microsecond from readied to switched in.</summary>
    [Fact]
    public void What_a_thread_did_around_the_capture_is_counted()
    {
        TraceFacts facts = Read(TurnsTrace.Build(), s_capture);

        Assert.Equal(new TraceAround(TimeSpan.FromSeconds(4), TimeSpan.FromTicks(400 * 19_990), 400, TimeSpan.FromMilliseconds(8)), facts.Thread(TurnsTrace.Worker).Around.Value);
        Assert.Equal(new TraceAround(TimeSpan.FromSeconds(4), TimeSpan.Zero, 0, TimeSpan.FromSeconds(4)), facts.Thread(TurnsTrace.Waiter).Around.Value);
    }

    [Theory]
    [InlineData(1.9)]
    [InlineData(8.1)]
    [InlineData(60)]
    public void A_capture_near_an_end_of_the_trace_or_behind_it_is_not_surrounded(double capture)
    {
        TraceFacts facts = Read(TurnsTrace.Build(), TimeSpan.FromSeconds(capture));

        Assert.False(facts.Thread(TurnsTrace.Worker).Around.HasValue);
        Assert.Equal(VerdictKind.Deadlock, Judge(TurnsTrace.Build(), TimeSpan.FromSeconds(capture)).Verdict.Kind);
    }

    [Fact]
    public void A_thread_that_takes_its_turns_is_not_blocked_and_the_figures_say_so()
    {
        TriageResult result = Judge(TurnsTrace.Build(), s_capture);

        Assert.Equal((VerdictKind.NotHung, Confidence.Likely), (result.Verdict.Kind, result.Verdict.Confidence));
        Assert.Contains(result.Verdict.Evidence, item => item.Claim.Text.Contains("(0x258) ran for 800 ms of the 4 s around the capture, was switched to 400 times and never waited for longer than 8 ms: it was not blocked", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(4_000, 6_000)]
    [InlineData(4_500, 10_000)]
    [InlineData(0, 6_500)]
    public void A_thread_that_waits_around_the_capture_is_blocked(long from, long to)
        => Assert.Equal((VerdictKind.Deadlock, Confidence.Certain), Heading(Judge(TurnsTrace.Build((from, to)), s_capture)));

    [Fact]
    public void A_thread_that_was_only_suspended_for_the_dump_is_not_blocked()
        => Assert.Equal((VerdictKind.NotHung, Confidence.Likely), Heading(Judge(TurnsTrace.Build((4_000, 6_000), isSuspended: true), s_capture)));

    [Fact]
    public void A_process_that_is_said_to_hang_is_not_called_deadlocked_for_it()
        => Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(CaseOf(TurnsTrace.Build(), s_capture) with { IsSaidToHang = true }).Verdict.Kind);

    /// <summary>Who waits for a lock whose owner is gone is not alone in it.</summary>
    [Fact]
    public void One_of_two_waiters_that_runs_does_not_free_the_other()
    {
        LockId gate = SnapshotBuilder.Monitor(0x1000);
        ProcessSnapshot snapshot = SnapshotBuilder.Windows()
            .Thread(TurnsTrace.Worker, "System.Threading.Monitor.Enter_Slowpath", "Bank.Transfer")
            .Thread(TurnsTrace.Waiter, "System.Threading.Monitor.Enter_Slowpath", "Bank.Audit")
            .OrphanedLock(gate, "Bank.Account").Waits(TurnsTrace.Worker, gate).Waits(TurnsTrace.Waiter, gate).Build();
        SyntheticTrace trace = TurnsTrace.Build();

        Finding finding = Assert.Single(Triage.Judge(Join(snapshot, trace, s_capture)).Findings);
        Assert.Equal(VerdictKind.Orphaned, finding.Kind);
        Assert.Contains(finding.Contradictions, item => item.Claim.Text.Contains("(0x258) ran for 800 ms of the 4 s around the capture", StringComparison.Ordinal));
    }

    private static (VerdictKind Kind, Confidence? Confidence) Heading(TriageResult result) => (result.Verdict.Kind, result.Verdict.Confidence);

    private static TriageResult Judge(SyntheticTrace trace, TimeSpan capture) => Triage.Judge(CaseOf(trace, capture));

    private static TraceFacts Read(SyntheticTrace trace, TimeSpan capture) => EtlFile.Read(trace.Build(), TraceContext.Default with { Moment = trace.Start + capture });

    private static Case CaseOf(SyntheticTrace trace, TimeSpan capture)
    {
        LockId first = SnapshotBuilder.Monitor(0x1000);
        LockId second = SnapshotBuilder.Monitor(0x2000);
        return Join(
            SnapshotBuilder.Windows()
                .Thread(TurnsTrace.Worker, "System.Threading.Monitor.Enter_Slowpath", "Bank.Transfer")
                .Thread(TurnsTrace.Waiter, "System.Threading.Monitor.Enter_Slowpath", "Bank.Audit")
                .Lock(first, TurnsTrace.Worker).Lock(second, TurnsTrace.Waiter).Waits(TurnsTrace.Worker, second).Waits(TurnsTrace.Waiter, first).Build(),
            trace,
            capture);
    }

    private static Case Join(ProcessSnapshot snapshot, SyntheticTrace trace, TimeSpan capture)
        => Case.Of(snapshot with
        {
            Target = snapshot.Target with
            {
                Pid = Known.Read(TurnsTrace.Process),
                ProcessName = Known.Read("bank.exe"),
                CapturedAt = Known.Read(trace.Start + capture),
                StartedAt = Known.Unknown<DateTimeOffset>("start", "not made"),
            },
        }).With("slow.etl", Read(trace, capture));
}
