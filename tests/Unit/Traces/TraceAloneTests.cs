using System.Globalization;
using System.Text;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;
using HangTriage.Traces;
using HangTriage.Traces.Files;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>A process is judged by a trace without a capture: schedules of six patterns, and their healthy twins.</summary>
public sealed class TraceAloneTests
{
    [Theory]
    [InlineData(false, Confidence.Likely)]
    [InlineData(true, Confidence.Possible)]
    public void A_thread_that_is_ready_and_not_run_is_outranked(bool isAfterward, Confidence confidence)
    {
        Verdict verdict = Judge(OutrankedTrace.Build(isAfterward: isAfterward), OutrankedTrace.App).Verdict;

        Assert.Equal((VerdictKind.Outranked, confidence, "HT7001"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.StartsWith(isAfterward
            ? "Thread 0x1f4 \"ui\" was ready" : "Thread 0x1f4 \"ui\" is ready", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_thread_that_runs_at_once_is_not_outranked()
        => Assert.Equal(VerdictKind.Inconclusive, Judge(OutrankedTrace.Build(ready: 1_000), OutrankedTrace.App).Verdict.Kind);

    [Fact]
    public void Who_runs_and_then_readies_a_crowd_is_the_busy_owner_and_no_lock_is_claimed()
    {
        Verdict verdict = Judge(ConvoyTrace.Build(), ConvoyTrace.Process).Verdict;

        Assert.Equal((VerdictKind.BusyOwner, Confidence.Likely, "HT7002"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains("while 63 threads wait, for up to 4 s, until it readies them", verdict.Title.Text, StringComparison.Ordinal);
        Assert.DoesNotContain("lock", string.Join('\n', [verdict.Title.Text, .. verdict.Evidence.Select(item => item.Claim.Text)]),
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_crowd_that_is_readied_after_a_fifth_of_a_second_is_no_hang()
        => Assert.DoesNotContain(Judge(ConvoyTrace.Build(length: 2_000_000), ConvoyTrace.Process).Findings, finding
            => finding.Rule.Id == "HT7002");

    [Theory]
    [InlineData(3_900, 6, false, VerdictKind.BlockedOnExternal, Confidence.Likely)]
    [InlineData(1, 17, false, VerdictKind.BlockedOnExternal, Confidence.Likely)]
    [InlineData(1, 6, true, VerdictKind.BlockedOnExternal, Confidence.Possible)]
    [InlineData(1, 6, false, VerdictKind.Inconclusive, null)]
    public void Another_process_is_blamed_where_it_worked_was_asked_or_holds_others_up(long works, byte reason, bool hasBehind,
        VerdictKind kind, Confidence? confidence)
    {
        Verdict verdict = Judge(RequestTrace.Build(works, reason, hasBehind), RequestTrace.Process).Verdict;

        Assert.Equal((kind, confidence, "HT7003"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains("until service.exe (141) readies it, after 4 s", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_wait_in_a_filter_for_another_process_is_external()
        => Assert.Equal(
            (VerdictKind.BlockedOnExternal, Confidence.Possible),
            (Judge(AntivirusTrace.Build(), AntivirusTrace.Git).Verdict is var verdict ? verdict.Kind : default, verdict.Confidence));

    [Fact]
    public void An_answer_in_72_microseconds_is_no_hang()
        => Assert.Empty(Judge(AntivirusTrace.Build(longest: 720, first: 720), AntivirusTrace.Git).Findings);

    [Theory]
    [InlineData(false, Confidence.Likely)]
    [InlineData(true, Confidence.Possible)]
    public void Who_yields_again_and_again_and_never_waits_spins(bool hasWorker, Confidence confidence)
    {
        Verdict verdict = Judge(YieldTrace.Build(hasWorker: hasWorker), YieldTrace.Process).Verdict;

        Assert.Equal((VerdictKind.SpinningOwner, confidence, "HT7005"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Matches("\"poll\" gives its processor away [56],\\d{3} times and never waits", verdict.Title.Text);
    }

    [Theory]
    [InlineData(15 * 10_000, 3_000)]
    [InlineData(5_000, 800)]
    public void Who_computes_between_yields_or_waits_afterwards_does_not_spin(long slice, long until)
        => Assert.Equal(VerdictKind.Inconclusive, Judge(YieldTrace.Build(slice, until), YieldTrace.Process).Verdict.Kind);

    [Fact]
    public void Very_many_short_waits_are_a_storm_and_at_most_possible()
    {
        Verdict verdict = Judge(AskingTrace.Build(), AskingTrace.Process).Verdict;

        Assert.Equal((VerdictKind.BusyNotHung, Confidence.Possible, "HT7004"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains("short waits, none longer than 0.1 ms", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Some_short_waits_are_turns()
    {
        Verdict verdict = Judge(AskingTrace.Build(rate: 20), AskingTrace.Process).Verdict;

        Assert.Equal((VerdictKind.NotHung, Confidence.Possible, (RuleInfo?)null), (verdict.Kind, verdict.Confidence, verdict.Rule));
    }

    [Fact]
    public void Small_calls_that_a_trace_counts_are_at_most_possible()
        => Assert.Equal(
            Confidence.Possible,
            Triage.Judge(Case.OfTrace("slow.etl", StormTraces.Reads, TinyReadsTrace.Broker))
                .Findings.Single(finding => finding.Rule.Id == "HT7004").Confidence);

    [Theory]
    [InlineData(PartnerTrace.Then.Waits, false, VerdictKind.NeverCompleted, Confidence.Possible, "has waited since 5.001 s (UserRequest)")]
    [InlineData(PartnerTrace.Then.Runs, true, VerdictKind.BusyOwner, Confidence.Likely, "has run since")]
    [InlineData(PartnerTrace.Then.Runs, false, VerdictKind.BusyOwner, Confidence.Possible, "has run since")]
    [InlineData(PartnerTrace.Then.Ends, true, VerdictKind.NeverCompleted, Confidence.Likely, "has ended, at 5.100 s")]
    [InlineData(PartnerTrace.Then.Ends, false, VerdictKind.NeverCompleted, Confidence.Possible, "has ended")]
    public void Who_was_readied_regularly_and_never_again_waits_for_who_did_it(PartnerTrace.Then then, bool isMutual, VerdictKind kind,
        Confidence confidence, string since)
    {
        Verdict verdict = Judge(PartnerTrace.Build(then, isMutual), PartnerTrace.Process).Verdict;

        Assert.Equal((kind, confidence, "HT7006"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Contains("readied", verdict.Title.Text, StringComparison.Ordinal);
        string text = string.Join('\n', verdict.Evidence.Select(item => item.Claim.Text));
        Assert.Contains("thread 0x456 \"partner\" readied thread 0x44c \"waiter\" 500 times, from 0.011 s to 5.001 s", text,
            StringComparison.Ordinal);
        Assert.Contains(since, text, StringComparison.Ordinal);
    }

    /// <summary>The partner readied the waiter in its last turn, and the waiter did not ready the partner in its own.</summary>
    [Fact]
    public void Of_two_that_readied_each_other_the_one_that_did_not_do_so_last_is_the_culprit()
    {
        Verdict verdict = Judge(PartnerTrace.Build(PartnerTrace.Then.Waits), PartnerTrace.Process).Verdict;

        Assert.Equal((VerdictKind.NeverCompleted, Confidence.Possible, "HT7006"), (verdict.Kind, verdict.Confidence, verdict.Rule?.Id));
        Assert.Equal((PartnerTrace.Waiter, PartnerTrace.Partner),
            (verdict.Culprit!.Thread!.Value.Value, Assert.Single(verdict.Victims).Thread!.Value.Value));
        Assert.Equal(
            "Thread 0x456 \"partner\" waits since 5.001 s to the trace's end; thread 0x44c \"waiter\", which readied it 499 times before, "
                + "has waited since 5.010 s (UserRequest)",
            verdict.Title.Text);
    }

    [Fact]
    public void Who_is_readied_no_more_by_another_process_waits_for_that()
        => Assert.Equal(VerdictKind.BlockedOnExternal,
            Judge(PartnerTrace.Build(PartnerTrace.Then.Waits, isMutual: false, PartnerTrace.Other), PartnerTrace.Process).Verdict.Kind);

    [Fact]
    public void Two_that_ready_each_other_to_the_end_are_not_hung_with_a_reason_for_each()
    {
        Verdict verdict = Judge(PartnerTrace.Build(PartnerTrace.Then.GoesOn), PartnerTrace.Process).Verdict;

        Assert.Equal((VerdictKind.NotHung, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Equal("No hang found: 2 threads of the process ran, or waited for what came regularly", verdict.Title.Text);
        Assert.Equal(2, verdict.Evidence.Count(item => item.Claim.Text.Contains("turns, and waited for", StringComparison.Ordinal)));
    }

    /// <summary>TurnsTrace: one thread takes its turns; another ran once and waits ever since, for what is not in a trace.</summary>
    [Fact]
    public void A_wait_to_the_end_that_nothing_explains_needs_a_dump()
    {
        Verdict verdict = Judge(TurnsTrace.Build(), TurnsTrace.Process).Verdict;

        Assert.Equal((VerdictKind.Inconclusive, (Confidence?)null), (verdict.Kind, verdict.Confidence));
        Assert.Contains(verdict.Gaps, gap => gap.What == "what thread 0x262 waits for"
            && gap.Why.StartsWith("it needs a dump", StringComparison.Ordinal));
        Assert.Contains("--trace slow.etl", Assert.Single(verdict.Advice).Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_trace_of_two_seconds_does_not_show_what_is_regular()
    {
        TraceFacts facts = EtlFile.Read(YieldTrace.Build(until: 1, hasWorker: true));
        TraceFacts worker = facts with { Threads = [facts.Thread(YieldTrace.Worker)] };

        Assert.Contains(Triage.Judge(Case.OfTrace("slow.etl", worker, YieldTrace.Process)).Verdict.Gaps, gap
            => gap.Why.Contains("the trace has 3 s", StringComparison.Ordinal));
    }

    [Fact]
    public void Lost_events_forbid_to_say_that_nobody_came()
    {
        TraceFacts facts = EtlFile.Read(PartnerTrace.Build(PartnerTrace.Then.Waits));
        TraceFacts lossy = facts with { Gaps = [new Gap("rest of the trace", "lost") { IsLoss = true }] };

        Assert.Equal(VerdictKind.Inconclusive, Triage.Judge(Case.OfTrace("slow.etl", lossy, PartnerTrace.Process)).Verdict.Kind);
    }

    [Fact]
    public void A_trace_without_switches_says_what_to_record()
    {
        TraceFacts facts = SyntheticTraceFacts.Of(TimeSpan.FromSeconds(10), 7)
            with { Kind = TraceKind.Nettrace, Switches = Known.Unknown<long>("context switches", "the trace has none") };
        TriageResult result = Triage.Judge(Case.OfTrace("web.nettrace", facts, 7));

        Assert.Equal((VerdictKind.Inconclusive, TargetOs.Unknown), (result.Verdict.Kind, result.Snapshot.Target.Os));
        Assert.Contains(result.Verdict.Gaps, gap => gap.What == "context switches");
    }

    /// <summary>A trace has neither stacks nor locks: the rules that read those say so, and none is blind by it.</summary>
    [Fact]
    public void Rules_of_captures_do_not_apply()
    {
        TriageResult result = Judge(PartnerTrace.Build(PartnerTrace.Then.GoesOn), PartnerTrace.Process);

        Assert.Equal(6, result.Rules.Count(report => report.Outcome.Kind != RuleOutcomeKind.NotApplicable));
        Assert.DoesNotContain(result.Rules, report => report.Outcome.Kind is RuleOutcomeKind.Blind or RuleOutcomeKind.Failed);
        Assert.All(result.Threads, thread => Assert.Empty(thread.Thread.Stack.Frames));
    }

    [Theory]
    [InlineData(true, VerdictKind.NeverCompleted)]
    [InlineData(false, VerdictKind.NotHung)]
    public void The_text_of_perf_is_judged_alike(bool stops, VerdictKind kind)
        => Assert.Equal(kind, Triage.Judge(Case.OfTrace("slow.txt", Perf(Turns(stops)), 200)).Verdict.Kind);

    /// <summary>A switch in state R is a yield or the end of a slice: only the calls tell them apart.</summary>
    [Theory]
    [InlineData(true, VerdictKind.SpinningOwner)]
    [InlineData(false, VerdictKind.Inconclusive)]
    public void On_Linux_the_calls_of_sched_yield_are_counted(bool hasCalls, VerdictKind kind)
    {
        StringBuilder text = new();
        for (double at = 1; at < 3; at += 0.000_510)
        {
            text.Append(Line(at, 200, "swapper/0", 0, "S", "poll", 201));
            text.Append(hasCalls ? Of(at + 0.000_499, "poll", "syscalls:sys_enter_sched_yield:") : "");
            text.Append(Line(at + 0.000_5, 200, "poll", 201, "R", "swapper/0", 0));
        }

        Assert.Equal(kind, Triage.Judge(Case.OfTrace("slow.txt", Perf(text.ToString()), 200)).Verdict.Kind);
    }

    [Fact]
    public void On_Linux_a_thread_ends_with_its_last_switch()
    {
        string text = Line(1, 200, "swapper/0", 0, "S", "one", 201) + Line(2, 200, "one", 201, "X", "swapper/0", 0) + Line(9, 9,
            "swapper/0", 0, "S", "other", 300);

        TraceThread thread = Perf(text).Thread(201);
        Assert.True(thread.IsEndSeen);
        Assert.Equal(TimeSpan.FromSeconds(1), thread.To);
    }

    /// <summary>As recorded: a timer ends a wait while a thread of another process runs on the processor.</summary>
    [Fact]
    public void On_Linux_who_runs_while_a_timer_fires_is_not_blamed()
    {
        StringBuilder text = new();
        text.Append(Line(1, 200, "one", 201, "S", "hog", 301)).Append(Wake(6, "hog", 301, "one", 201, pid: 300));
        text.Append(Line(6.001, 300, "hog", 301, "R", "one", 201)).Append(Line(7, 200, "one", 201, "S", "hog", 301));

        Assert.Empty(Triage.Judge(Case.OfTrace("slow.txt", Perf(text.ToString()), 200)).Findings);
    }

    /// <summary>A lock is handed from waiter to waiter: the first of them was readied by who held it.</summary>
    [Fact]
    public void A_lock_that_is_handed_on_leads_to_who_held_it_first()
    {
        TraceFacts facts = EtlFile.Read(ConvoyTrace.Build());
        TraceThread[] threads = [.. facts.Threads.Where(thread => thread.OsId.Value < ConvoyTrace.FirstWaiter + 5).Select(Handed)];

        Verdict verdict = Triage.Judge(Case.OfTrace("slow.etl", facts with { Threads = threads }, ConvoyTrace.Process)).Verdict;
        Assert.Equal((VerdictKind.BusyOwner, ConvoyTrace.Holder, 5),
            (verdict.Kind, verdict.Culprit!.Thread!.Value.Value, verdict.Victims.Count));
    }

    private static TraceThread Handed(TraceThread thread)
        => thread.OsId.Value <= ConvoyTrace.FirstWaiter ? thread
            : thread with
            {
                LongestWait = thread.LongestWait!
                    with { By = thread.LongestWait.By.Select(by => by with { Thread = new ThreadId(thread.OsId.Value - 1) }) },
            };

    // Two threads ready each other each 10 ms.
    private static string Turns(bool stops)
    {
        StringBuilder text = new();
        for (double at = 1; at < (stops ? 4 : 14); at += 0.01)
        {
            text.Append(Line(at, 200, "swapper/0", 0, "S", "one", 201)).Append(Wake(at + 0.004, "one", 201, "two", 202))
                .Append(Line(at + 0.004_1, 200, "one", 201, "S", "two", 202));
            bool isLast = stops && at >= 3.985;
            text.Append(isLast ? "" : Wake(at + 0.008, "two", 202, "one", 201))
                .Append(Line(at + 0.008_1, 200, "two", 202, "S", "swapper/0", 0));
        }

        return text.Append(Line(14, 9, "other", 300, "S", "swapper/0", 0)).ToString();
    }

    private static string Line(double at, uint pid, string old, uint oldTid, string state, string next, uint nextTid)
        => string.Create(CultureInfo.InvariantCulture,
            $"{old} {(oldTid == 0 ? 0 : pid)}/{oldTid} [000] {at:0.000000000}: sched:sched_switch: prev_comm={old} prev_pid={oldTid} prev_prio=120 "
                + $"prev_state={state} ==> next_comm={next} next_pid={nextTid} next_prio=120\n");

    private static string Of(double at, string comm, string call)
        => string.Create(CultureInfo.InvariantCulture, $"{comm} 200/201 [000] {at:0.000000000}: {call} \n");

    private static string Wake(double at, string by, uint byTid, string comm, uint tid, uint pid = 200)
        => string.Create(CultureInfo.InvariantCulture,
            $"{by} {pid}/{byTid} [000] {at:0.000000000}: sched:sched_wakeup: comm={comm} pid={tid} prio=120 target_cpu=000\n");

    private static TraceFacts Perf(string text)
    {
        using TemporaryFolder folder = new();
        File.WriteAllText(folder["slow.txt"], text);
        return TraceFile.Read(folder["slow.txt"], TraceContext.Default);
    }

    private static TriageResult Judge(SyntheticTrace trace, uint pid) => Triage.Judge(Case.OfTrace("slow.etl", EtlFile.Read(trace), pid));
}
