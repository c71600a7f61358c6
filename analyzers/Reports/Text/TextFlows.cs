using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports.Requests;
using HangTriage.Rules;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Text;

/// <summary>
/// What no thread's stack shows: the thread pool, the requests under way, and the async methods that are suspended, coalesced.
/// </summary>
internal sealed class TextFlows(TriageResult result, TextLines lines, TextReportOptions options)
{
    public void Write()
    {
        WritePool();
        WriteRequests();
        IReadOnlyList<FlowGroup> groups = ShownFlows.Of(result.Snapshot);
        if (groups.Count == 0)
        {
            return;
        }

        lines.Blank();
        lines.Line(string.Create(CultureInfo.InvariantCulture, $"Suspended async methods ({ShownFlows.FactsOf(result.Snapshot)!.Suspended})"));
        foreach (FlowGroup group in groups.Take(options.MaxFlows))
        {
            lines.Wrapped("  ", AgeText.WithAge(group), hanging: 2);
            if (FlowText.AwaitedBy(group) is { } by)
            {
                lines.Wrapped("    awaited by ", by);
            }
        }

        if (ShownFlows.Rest(result.Snapshot, groups, options.MaxFlows) is { } rest)
        {
            lines.Line($"  and {rest}");
        }
    }

    private void WriteRequests()
    {
        if (ShownRequests.FactsOf(result.Snapshot) is not { } facts)
        {
            return;
        }

        IReadOnlyList<RequestGroup> groups = ShownRequests.Of(result.Snapshot);
        lines.Blank();
        lines.Line(RequestText.Heading(facts));
        foreach (RequestGroup group in groups.Take(options.MaxFlows))
        {
            lines.Wrapped("  ", RequestText.Of(group), hanging: 2);
        }

        if (groups.Skip(options.MaxFlows).Sum(group => group.Count) + facts.Omitted is > 0 and int left)
        {
            lines.Line(string.Create(CultureInfo.InvariantCulture, $"  and {left} more"));
        }
    }

    private void WritePool()
    {
        if (PoolText.Of(result.Snapshot) is { Count: > 0 } pool)
        {
            lines.Blank();
            lines.Line("Thread pool");
            foreach ((string name, string value) in pool)
            {
                lines.Wrapped("  ", $"{name}: {value}", hanging: 2);
            }
        }
    }
}
