using HangTriage.Facts;
using HangTriage.Reports.Json;
using HangTriage.Rules;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;
using HangTriage.Tests.Unit.Reports;
using HangTriage.Traces;
using Newtonsoft.Json.Linq;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>A trace and a capture of one process, and of two.</summary>
public sealed class TraceJoinTests
{
    private static readonly TimeSpan s_whileReady = TimeSpan.FromSeconds(45);

    [Fact]
    public void A_ready_thread_is_the_verdict_with_the_figures_of_the_trace()
    {
        Verdict verdict = Judge(OutrankedTrace.Build(), s_whileReady).Verdict;

        Assert.Equal((VerdictKind.Outranked, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains("is ready and has not been scheduled for 19.49 s at priority 14: rank 2 against rank 0 of the 7 threads that ran", verdict.Title.Text, StringComparison.Ordinal);
        string evidence = string.Join('\n', verdict.Evidence.Select(item => item.Claim.Text));
        Assert.Contains("was readied at 30.333 s by thread 0x8 of System in ntoskrnl.exe+0x1234 and was switched to at 49.827 s: 19.49 s", evidence, StringComparison.Ordinal);
        Assert.Contains("not its priority: 7 threads of lower priority ran meanwhile, down to 8", evidence, StringComparison.Ordinal);
        Assert.Contains("not a kernel stack that was paged out", evidence, StringComparison.Ordinal);
        Assert.Contains("not a CPU limit of its job", evidence, StringComparison.Ordinal);
        Assert.DoesNotContain("freeze", evidence, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_ranks_it_says_so()
    {
        Verdict verdict = Judge(OutrankedTrace.Build(hasRanks: false), s_whileReady).Verdict;

        Assert.Equal((VerdictKind.Outranked, Confidence.Possible), (verdict.Kind, verdict.Confidence));
        Assert.Contains("7 threads ran, rank not recorded", verdict.Title.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_healthy_twin_is_scheduled_at_once_and_is_no_hang()
        => Assert.Equal(VerdictKind.NotHung, Judge(OutrankedTrace.Build(ready: 20 * 10_000), s_whileReady).Verdict.Kind);

    [Fact]
    public void What_a_damaged_trace_lost_is_said()
    {
        SyntheticTrace trace = OutrankedTrace.Build(ready: 20 * 10_000);
        TraceFacts facts = EtlFile.Read(trace.Build()[..^1000]);

        RuleReport report = Triage.Judge(Case.Of(Snapshot(trace, s_whileReady)).With("slow.etl", facts)).Rules.Single(report => report.Rule.Id == "HT7001");

        Assert.Contains("the file ends", report.Outcome.Why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_capture_behind_the_end_of_the_trace_takes_the_last_state()
    {
        Verdict verdict = Judge(OutrankedTrace.Build(isAfterward: false), TimeSpan.FromMinutes(2)).Verdict;

        Assert.Equal((VerdictKind.Outranked, Confidence.Likely), (verdict.Kind, verdict.Confidence));
        Assert.Contains("was not switched to before the trace's end", verdict.Evidence[0].Claim.Text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("pid", "it has no process 51")]
    [InlineData("name", "is another one: LockApp.exe, not other.exe")]
    [InlineData("start", "is another one: the captured one started at")]
    [InlineData("before", "the capture was taken before it begins")]
    [InlineData("linux", "it is of another system")]
    public void A_trace_of_another_process_is_refused(string difference, string why)
    {
        SyntheticTrace trace = OutrankedTrace.Build();
        ProcessSnapshot snapshot = Snapshot(trace, difference == "before" ? TimeSpan.FromSeconds(-5) : s_whileReady);
        TargetFacts target = snapshot.Target;
        target = difference switch
        {
            "pid" => target with { Pid = Known.Read(OutrankedTrace.App + 1) },
            "name" => target with { ProcessName = Known.Read("other.exe") },
            "start" => target with { StartedAt = Known.Read(trace.Start + TimeSpan.FromSeconds(20)) },
            "linux" => target with { Os = TargetOs.Linux },
            _ => target,
        };

        Case joined = Case.Of(snapshot with { Target = target }).With("slow.etl", EtlFile.Read(trace));

        Assert.False(joined.Trace!.Join.IsJoined);
        Assert.Contains(why, joined.Trace.Join.WhyNot, StringComparison.Ordinal);
        Assert.NotEqual(VerdictKind.Outranked, Triage.Judge(joined).Verdict.Kind);
    }

    [Fact]
    public void A_start_within_the_trace_joins_by_it()
    {
        SyntheticTrace trace = new SyntheticTrace().Process(50_000_000, 1, OutrankedTrace.App, "LockApp.exe").Thread(50_000_100, 1, OutrankedTrace.App, OutrankedTrace.Waiter).Thread(900_000_000, 4, OutrankedTrace.App, OutrankedTrace.Waiter);
        ProcessSnapshot snapshot = Snapshot(trace, TimeSpan.FromSeconds(60));

        Case joined = Case.Of(snapshot with { Target = snapshot.Target with { StartedAt = Known.Read(trace.Start + TimeSpan.FromSeconds(5)) } }).With("slow.etl", EtlFile.Read(trace));

        Assert.Equal(JoinedBy.StartTime, joined.Trace!.Join.By);
        Assert.Equal(TimeSpan.FromSeconds(60), joined.Trace.Join.Moment.Value);
    }

    [Fact]
    public void The_report_with_the_trace_fits_the_schema_and_names_it()
    {
        TriageResult result = Judge(OutrankedTrace.Build(), s_whileReady);
        using StringWriter json = new();
        JsonReport.Write(result, json, new JsonReportOptions("1.0.0", new Dictionary<string, TimeSpan>()));

        Assert.Empty(ReportSchema.Errors(json.ToString()));
        JToken trace = JToken.Parse(json.ToString())["trace"]!;
        Assert.Equal(45_000, (double)trace["moment"]!);
        Assert.Equal(19_494, (double)trace["threads"]![0]!["longestReady"]!["length"]!);
    }

    /// <summary>The command for a trace alone writes the same part; a schema that lets anything pass would show here.</summary>
    [Fact]
    public void A_trace_alone_fits_its_part_of_the_schema()
    {
        TriageResult result = Judge(OutrankedTrace.Build(), s_whileReady);
        using StringWriter report = new();
        JsonReport.Write(result, report, new JsonReportOptions("1.0.0", new Dictionary<string, TimeSpan>()));
        JObject whole = JObject.Parse(report.ToString());
        foreach (TraceFacts facts in new[] { EtlFile.Read(AntivirusTrace.Build()), EtlFile.Read(ConvoyTrace.Build()), EtlFile.Read(new SyntheticTrace()) })
        {
            using StringWriter json = new();
            TraceJsonReport.Write(facts, "slow.etl", json, "1.0.0");
            whole["trace"] = JObject.Parse(json.ToString())["trace"];
            Assert.Empty(ReportSchema.Errors(whole.ToString()));
        }

        ((JObject)whole["trace"]!).Add("other", 1);
        Assert.NotEmpty(ReportSchema.Errors(whole.ToString()));
    }

    private static TriageResult Judge(SyntheticTrace trace, TimeSpan capture)
    {
        ProcessSnapshot snapshot = Snapshot(trace, capture);
        TraceContext context = TraceContext.Default with { Moment = snapshot.Target.CapturedAt.Value };
        return Triage.Judge(Case.Of(snapshot).With("slow.etl", EtlFile.Read(trace.Build(), context)));
    }

    private static ProcessSnapshot Snapshot(SyntheticTrace trace, TimeSpan capture)
    {
        ProcessSnapshot snapshot = SnapshotBuilder.Windows().Thread(OutrankedTrace.Waiter, "ntdll!NtWaitForSingleObject", "KERNELBASE!WaitForSingleObjectEx", "app!main").Build();
        return snapshot with
        {
            Target = snapshot.Target with
            {
                Pid = Known.Read(OutrankedTrace.App),
                ProcessName = Known.Read("LockApp.exe"),
                CapturedAt = Known.Read(trace.Start + capture),
                StartedAt = Known.Unknown<DateTimeOffset>("start", "not made"),
            },
        };
    }
}
