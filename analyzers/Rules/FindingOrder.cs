using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules;

/// <summary>
/// The order in which findings decide: hangs first, those that yield to others last, the surest first; among equals circles, which say for
/// themselves why nobody continues, then those that hold up a user interface or the main thread, then those that hold up most.
/// </summary>
internal static class FindingOrder
{
    public static IReadOnlyList<Finding> Of(RuleContext context, IReadOnlyList<Finding> findings)
        => findings.Count < 2 ? findings :
        [
            .. findings
                .OrderBy(finding => finding.Severity)
                .ThenBy(finding => finding.YieldsToOthers)
                .ThenBy(finding => finding.Confidence)
                .ThenByDescending(finding => finding.Kind == VerdictKind.Deadlock)

                // What is broken makes the loop over it endless.
                .ThenByDescending(finding => finding.Kind == VerdictKind.Corruption)
                .ThenByDescending(finding => Involves(finding, thread => context.FindUiThread(thread) is not null))
                .ThenByDescending(finding => Involves(finding, thread => context.Find(thread)?.Thread.Index == 0))
                .ThenByDescending(finding => finding.Victims.Count)
                .ThenBy(finding => finding.Rule.Id, StringComparer.Ordinal)
                .ThenBy(finding => finding.Culprit?.Thread?.Value ?? uint.MaxValue),
        ];

    private static bool Involves(Finding finding, Func<ThreadId, bool> isWanted)
        => finding.Chain.Select(link => link.From).Concat(finding.Victims).Concat(finding.Culprit is { } culprit ? [culprit] : Array.Empty<Party>())
            .Select(party => party.Thread).OfType<ThreadId>().Any(isWanted);
}
