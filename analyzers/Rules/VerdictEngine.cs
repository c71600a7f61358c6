using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules;

/// <summary>Makes one verdict of what all rules found and of what they could not see.</summary>
internal sealed class VerdictEngine(RuleContext context, VerdictPolicy policy)
{
    /// <param name="findings">All findings, in their order.</param>
    /// <param name="rules">How every rule ended.</param>
    public (Verdict Verdict, PolicyRow? Row) Decide(IReadOnlyList<Finding> findings, IReadOnlyList<RuleReport> rules)
    {
        IReadOnlyList<UnexplainedWait> waits = Unexplained.Waits(context, findings);
        Gap[] unexplained = [.. waits.Select(wait => wait.Gap)];
        IReadOnlyList<Gap> missing = Blindness.Of(context, findings.Count > 0);
        Gap[] all = [.. missing.Concat(rules.SelectMany(GapsOf)).Concat(context.Snapshot.Gaps)];
        if ((findings.FirstOrDefault(finding => finding.Kind.IsHang()) ?? findings.FirstOrDefault(finding => finding.Kind == VerdictKind.Inconclusive)) is { } decisive)
        {
            return (new Verdict(decisive) { Gaps = [.. decisive.Gaps.Concat(unexplained).Concat(all).Distinct()] }, decisive.Row);
        }

        Gap[] blind = [.. missing.Concat(unexplained).Concat(rules.Where(CanHideAHang).SelectMany(GapsOf)).Distinct()];
        if (blind.Length > 0)
        {
            PolicyRow row = RowOf(Pattern.NothingFoundHalfBlind);
            Verdict open = Unjudged.Describe(context, row, waits is [UnexplainedWait longest, ..] ? longest.Chain : [], blind);
            return (open with { Gaps = [.. missing.Concat(unexplained).Concat(all).Distinct()] }, row);
        }

        if (findings.FirstOrDefault(finding => finding.Kind == VerdictKind.BusyNotHung) is { } busy)
        {
            return (new Verdict(busy) { Gaps = [.. busy.Gaps.Concat(all).Distinct()] }, busy.Row);
        }

        PolicyRow nothing = RowOf(Pattern.NothingFound);
        return (Healthy.Describe(context, nothing, findings) with { Gaps = [.. all.Distinct()] }, nothing);
    }

    private PolicyRow RowOf(Pattern pattern) => policy.Decide(new PolicyCase(pattern, LinkTrust.Read, TimeLimit.None, Sign.None, Samples.One));

    private bool CanHideAHang(RuleReport report) => report.Outcome.IsBlind && (report.Outcome.Kind == RuleOutcomeKind.Failed || policy.CanForbidHealth(report.Rule.Patterns));

    private static IEnumerable<Gap> GapsOf(RuleReport report)
        => report.Outcome.Kind == RuleOutcomeKind.Failed
            ? [new Gap($"{report.Rule.Id} {report.Rule.Name}", $"the rule failed: {report.Outcome.Why}")]
            : report.Outcome.Gaps;
}
