using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Text;

/// <summary>The async methods that are suspended, coalesced: what no thread's stack shows.</summary>
internal sealed class TextFlows(TriageResult result, TextLines lines, TextReportOptions options)
{
    public void Write()
    {
        IReadOnlyList<FlowGroup> groups = ShownFlows.Of(result.Snapshot);
        if (groups.Count == 0)
        {
            return;
        }

        lines.Blank();
        lines.Line(string.Create(CultureInfo.InvariantCulture, $"Suspended async methods ({ShownFlows.FactsOf(result.Snapshot)!.Suspended})"));
        foreach (FlowGroup group in groups.Take(options.MaxFlows))
        {
            lines.Wrapped("  ", FlowText.Of(group), hanging: 2);
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
}
