using System.Text.Json;
using HangTriage.Reports.Json;
using HangTriage.Rules;

namespace HangTriage.Reports.Json;

/// <summary>The report for scripts; docs/report-schema.json is its contract. ASCII only, and it ends in LF.</summary>
public static class JsonReport
{
    public static void Write(TriageResult result, TextWriter output, JsonReportOptions options)
    {
        ArgumentNullException.ThrowIfNull(result);
        ArgumentNullException.ThrowIfNull(output);
        ArgumentNullException.ThrowIfNull(options);
        ReportPart report = new()
        {
            Tool = new ToolPart(options.ToolVersion),
            Target = PartsOfTarget.Of(result.Snapshot.Target),
            Verdict = PartsOfJudgement.Of(result.Verdict) with { Impact = PartsOfRequests.ImpactOf(result) },
            Findings = [.. result.Findings.Select(PartsOfJudgement.Of)],
            Suspects = [.. result.Verdict.Suspects.Select(PartsOfJudgement.Of)],
            Rules = [.. result.Rules.Select(PartsOfJudgement.Of)],
            Threads = result.Snapshot.Threads.HasValue ? [.. result.Threads.Select(PartsOfTarget.Of)] : null,
            Flows = PartsOfFlows.Of(result.Snapshot),
            FlowCounts = PartsOfFlows.CountsOf(result.Snapshot),
            Requests = PartsOfRequests.Of(result.Snapshot),
            Tests = result.Tests.Count > 0 ? [.. result.Tests.Select(PartsOfTarget.Of)] : null,
            Gaps = PartsOfJudgement.Of(Unseen.Counted(result.Case)),
            Trace = result.Case.Trace is { Join.IsJoined: true } trace ? PartsOfTrace.Of(trace, result.Snapshot.Target.Pid.Value) : null,
            Captures = PartsOfTarget.CapturesOf(result.Case),
            Timings = options.Timings.ToDictionary(timing => timing.Key, timing => timing.Value.TotalMilliseconds),
        };
        output.Write(JsonSerializer.Serialize(report, ReportJsonContext.Default.ReportPart).ReplaceLineEndings("\n"));
        output.Write('\n');
    }
}
