using System.Globalization;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Threads;

namespace HangTriage.Reports.Incident;

/// <summary>Threads and async methods by what they wait for, one row each.</summary>
internal static class IncidentGroups
{
    private const int LongestCell = 160;
    private const int MostFlows = 10;
    private const string Nowhere = "-";

    public static IReadOnlyList<string> Heads { get; } = ["How many", "Who", "Does", "Where"];

    public static IReadOnlyList<IReadOnlyList<Claim>> Of(TriageResult result)
        =>
        [
            .. ThreadGroup.Of(result).Select(Row),
            .. ShownFlows.Of(result.Snapshot).OrderByDescending(group => group.Count).Take(MostFlows).Select(Row),
        ];

    private static IReadOnlyList<Claim> Row(ThreadGroup group)
        =>
        [
            group.Threads.Count.ToString(CultureInfo.InvariantCulture),
            group.Who,
            Shorten.To(group.Does, LongestCell),
            group.Where is { } place ? Shorten.To(place, LongestCell) : Nowhere,
        ];

    private static IReadOnlyList<Claim> Row(FlowGroup group)
        =>
        [
            group.Count.ToString(CultureInfo.InvariantCulture),
            "async method",
            Shorten.To("waits " + FlowText.Waits(group.Waits), LongestCell),
            Shorten.To(group.Source is { } line ? $"{FlowText.Method(group)} ({line})" : FlowText.Method(group), LongestCell),
        ];
}
