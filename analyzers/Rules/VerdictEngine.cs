using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Scheduling;
using HangTriage.Rules.Suspects;

namespace HangTriage.Rules;

/// <summary>Makes one verdict of what all rules found and of what they could not see.</summary>
internal sealed class VerdictEngine(RuleContext context, VerdictPolicy policy)
{
    /// <param name="findings">All findings, in their order.</param>
    /// <param name="rules">How every rule ended.</param>
    public (Verdict Verdict, PolicyRow? Row) Decide(IReadOnlyList<Finding> findings, IReadOnlyList<RuleReport> rules)
    {
        IReadOnlyList<Suspect> suspects = AllSuspects.Of(context, findings);
        Gap[] unexplained = [.. suspects.Where(suspect => suspect.Matters).Select(suspect => suspect.Unknown)];
        IReadOnlyList<Gap> missing = context.Case.IsTraceAlone
            ? [.. context.Losses, .. TraceAccount.Open(context, ThreadsOf(findings))] : Blindness.Of(context, findings.Count > 0);
        Gap[] all = [.. missing.Concat(rules.SelectMany(GapsOf)).Concat(context.Snapshot.Gaps)];
        Crash? crash = context.Case.IsSaidToHang ? null : Crash.Of(context);
        if (crash is { IsFailFast: false } && (crash.IsCertain || !findings.Any(finding => finding.Kind.IsHang())))
        {
            // Who waits in a process that has crashed is not its trouble.
            return Crashed(crash, all);
        }

        (Verdict verdict, PolicyRow? row) = Decide(findings, rules, suspects, missing, unexplained, all);
        return crash is not null && verdict.Kind is VerdictKind.NotHung or VerdictKind.BusyNotHung
            ? Crashed(crash, all)
            : (verdict with { Suspects = suspects, Since = verdict.Since ?? WaitAges.Of(context, verdict) }, row);
    }

    private static HashSet<ThreadId> ThreadsOf(IReadOnlyList<Finding> findings)
        => [.. findings.SelectMany(finding => finding.Victims.Append(finding.Culprit)).Select(party => party?.Thread).OfType<ThreadId>()];

    private (Verdict Verdict, PolicyRow? Row) Crashed(Crash crash, IReadOnlyList<Gap> all)
    {
        PolicyRow row = RowOf(Pattern.Crashed);
        return (crash.Describe(context, row) with { Gaps = [.. all.Distinct()] }, row);
    }

    private (Verdict Verdict, PolicyRow? Row) Decide(
        IReadOnlyList<Finding> findings, IReadOnlyList<RuleReport> rules, IReadOnlyList<Suspect> suspects, IReadOnlyList<Gap> missing, Gap[] unexplained, Gap[] all)
    {
        if ((findings.FirstOrDefault(finding => finding.Kind.IsHang()) ?? findings.FirstOrDefault(finding => finding.Kind == VerdictKind.Inconclusive)) is { } decisive)
        {
            return (new Verdict(decisive) { Gaps = [.. decisive.Gaps.Concat(unexplained).Concat(all).Distinct()] }, decisive.Row);
        }

        if (context.Case.IsSaidToHang && suspects.Select(suspect => (Suspect: suspect, Pattern: PatternOf(suspect))).FirstOrDefault(pair => pair.Pattern != Pattern.None) is ({ } best, var pattern))
        {
            PolicyRow said = RowOf(pattern);
            return (Unjudged.Suspected(context, said, best) with { Gaps = [.. unexplained.Concat(all).Distinct()] }, said);
        }

        if (Stuck(suspects) is { } stuck)
        {
            Sign sign = stuck.FailedGiver is not null ? Sign.GiverFailed
                : stuck.OwnGiver is not null ? Sign.GivenByItself
                : context.Flows.Server.WaitsForItself ? Sign.RequestsInCircle : Sign.NothingActs;
            PolicyRow row = policy.Decide(new PolicyCase(PatternOf(stuck), LinkTrust.Read, TimeLimit.None, sign, Samples.One));
            Verdict verdict = Unjudged.Suspected(context, row, stuck, context.Still.Observers);
            return (verdict with { Gaps = [.. unexplained.Concat(all).Distinct()] }, row);
        }

        // No wait is suspect: who is at work is the best answer that there is.
        if (context.Case.IsSaidToHang && unexplained.Length == 0 && missing.Count == 0
            && findings.FirstOrDefault(finding => finding.Case is { Pattern: Pattern.AtWork }) is { } worker)
        {
            PolicyRow said = policy.Decide(worker.Case! with { Signs = worker.Case.Signs | Sign.Depended });
            Finding answer =
                worker with { Row = said, Kind = said.Kind, Confidence = said.Confidence, ConfidenceReason = ReasonText.Of(said.Reason) };
            return (new Verdict(answer) { Gaps = [.. answer.Gaps.Concat(all).Distinct()] }, said);
        }

        Gap[] blind = [.. missing.Concat(unexplained).Concat(rules.Where(CanHideAHang).SelectMany(GapsOf)).Distinct()];
        if (blind.Length > 0)
        {
            PolicyRow row = RowOf(Pattern.NothingFoundHalfBlind);
            Verdict open = Unjudged.Describe(context, row, suspects is [{ Matters: true } heaviest, ..] ? heaviest : null, blind);
            return (open with { Gaps = [.. missing.Concat(unexplained).Concat(all).Distinct()] }, row);
        }

        if (findings.FirstOrDefault(finding => finding.Kind == VerdictKind.BusyNotHung) is { } busy)
        {
            return (new Verdict(busy) { Gaps = [.. busy.Gaps.Concat(all).Distinct()] }, busy.Row);
        }

        if (suspects.FirstOrDefault(suspect => suspect is { Work: not null, Weight: not Weight.None }) is { } worked)
        {
            PolicyRow under = policy.Decide(
                new PolicyCase(Pattern.NothingFound, LinkTrust.Read, TimeLimit.None, Sign.WorkUnderWay, Samples.One));
            return (Healthy.DescribeWork(context, under, findings, worked) with { Gaps = [.. all.Distinct()] }, under);
        }

        PolicyRow nothing = RowOf(Pattern.NothingFound);
        return (Healthy.Describe(context, nothing, findings) with { Gaps = [.. all.Distinct()] }, nothing);
    }

    // The wait that nothing ends, as nothing that moves can, or as all requests of the process wait for each other; or that only who waits
    // could end, or who has failed.
    private Suspect? Stuck(IReadOnlyList<Suspect> suspects)
        => suspects.FirstOrDefault(suspect => suspect is
                { Matters: true, FailedGiver: not null, Kind: SuspectKind.Signal or SuspectKind.Task })
            ?? suspects.FirstOrDefault(suspect => suspect is
                { Matters: true, OwnGiver: not null, Kind: SuspectKind.Signal or SuspectKind.Task })
            ?? (context.Flows.Server.WaitsForItself ? suspects.FirstOrDefault(suspect => suspect.Matters
                    && suspect.Kind is SuspectKind.Task or SuspectKind.Outside)
                : context.Still.Observers is null ? null
                : suspects.FirstOrDefault(suspect => suspect.Matters
                    && suspect.Kind is SuspectKind.Signal or SuspectKind.Task or SuspectKind.Outside));

    private PolicyRow RowOf(Pattern pattern) => policy.Decide(new PolicyCase(
        pattern, LinkTrust.Read, TimeLimit.None,
            (context.Case.IsSaidToHang ? Sign.SaidToHang : Sign.None) | (context.Case.IsTraceAlone ? Sign.TraceAlone : Sign.None),
            Samples.One));

    private static Pattern PatternOf(Suspect suspect) => suspect.Kind switch
    {
        SuspectKind.Signal => Pattern.SignalOfUnknownEnd,
        SuspectKind.Task => Pattern.TaskOfUnknownEnd,
        SuspectKind.Outside => Pattern.OutsideOfUnknownEnd,
        SuspectKind.Runtime => Pattern.RuntimeOfUnknownEnd,
        _ => Pattern.None,
    };

    private bool CanHideAHang(RuleReport report) => report.Outcome.IsBlind && (report.Outcome.Kind == RuleOutcomeKind.Failed || policy.CanForbidHealth(report.Rule.Patterns, context.Case.IsSaidToHang));

    private static IEnumerable<Gap> GapsOf(RuleReport report)
        => report.Outcome.Kind == RuleOutcomeKind.Failed
            ? [new Gap($"{report.Rule.Id} {report.Rule.Name}", $"the rule failed: {report.Outcome.Why}")]
            : report.Outcome.Gaps;
}
