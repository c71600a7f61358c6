using System.Globalization;
using HangTriage.Rules;
using HangTriage.Rules.Observing;

namespace HangTriage.Reports;

/// <summary>Says how the rules ended, so that a rule that did not look never passes for a clean one.</summary>
internal static class RulesText
{
    /// <summary>"9 ran: 1 found (HT3001), 5 clean, 2 blind (HT2001, HT2002), 1 failed (HT1001)".</summary>
    /// <param name="rules">How every rule ended.</param>
    /// <param name="isWhole">Rules that do not apply are named too.</param>
    public static string Outcomes(IReadOnlyList<RuleReport> rules, bool isWhole = true)
    {
        IEnumerable<string> parts = rules
            .GroupBy(report => report.Outcome.Kind)
            .OrderBy(group => group.Key)
            .Select(group => string.Create(CultureInfo.InvariantCulture, $"{group.Count()} {Words.Of(group.Key)}{Ids(group, isWhole)}"));
        return rules.Count == 0 ? "none ran" : string.Create(CultureInfo.InvariantCulture, $"{rules.Count} ran: {string.Join(", ", parts)}");
    }

    public static IReadOnlyList<RuleReport> Failed(TriageResult result)
        => [.. result.Rules.Where(report => report.Outcome.Kind == RuleOutcomeKind.Failed)];

    /// <summary>"2 of 9 rules failed; a hang that only they find is missed".</summary>
    public static string FailureHeadline(TriageResult result)
    {
        int failed = Failed(result).Count;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{failed} of {result.Rules.Count} rules failed; a hang that only {(failed == 1 ? "it finds" : "they find")} is missed");
    }

    private static string Ids(IGrouping<RuleOutcomeKind, RuleReport> group, bool isWhole)
        => group.Key == RuleOutcomeKind.Clean || (group.Key == RuleOutcomeKind.NotApplicable && !isWhole) ? string.Empty : $" ({string.Join(", ", group.Select(report => report.Rule.Id))})";
}
