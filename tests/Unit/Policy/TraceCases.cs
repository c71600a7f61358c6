using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.Unit.Policy;

/// <summary>Cases of others, joined with a trace in which every thread of the process runs around the capture.</summary>
internal static class TraceCases
{
    private static readonly TimeSpan s_window = TimeSpan.FromSeconds(20);

    /// <summary>One case for each pattern of the rows that a trace overturns.</summary>
    public static IEnumerable<(string Name, Case Case)> Of(IReadOnlyList<(string Name, Case Case)> others)
    {
        Pattern open = VerdictPolicy.Standard.Rows.Where(row => row.Signs.HasFlag(Sign.RunsInTrace)).Aggregate(Pattern.None, (all, row) => all | row.Patterns);
        foreach ((string name, Case @case) in others.Where(other => other.Case.Trace is null && other.Case.Last.Target.CapturedAt.HasValue && other.Case.Last.Threads.HasValue))
        {
            Pattern found = Triage.Judge(@case).Findings.Where(finding => !finding.Case!.Signs.HasFlag(Sign.TriesAgain)).Aggregate(Pattern.None, (all, finding) => all | finding.Case!.Pattern);
            if ((found & open) != 0)
            {
                open &= ~found;
                yield return ($"{name}, running in a trace", Running(@case));
            }
        }
    }

    public static Case Running(Case @case)
    {
        ProcessSnapshot last = @case.Last;
        uint pid = last.Target.Pid.Value;
        TraceAround around = new(TimeSpan.FromSeconds(4), TimeSpan.FromSeconds(1), Switches: 100, LongestWait: TimeSpan.FromMilliseconds(30));
        TraceThread[] threads = [.. last.Threads.Value.Select(thread => SyntheticTraceFacts.Around(thread.OsId.Value, pid, s_window, around))];
        return @case.With("slow.etl", SyntheticTraceFacts.Of(s_window, pid, threads) with
        {
            Kind = last.Target.Os == TargetOs.Linux ? TraceKind.Perf : TraceKind.Etl,
            Start = Known.Read(last.Target.CapturedAt.Value - (s_window / 2)),
        });
    }
}
