using HangTriage.Facts;
using HangTriage.Facts.Time;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;

namespace HangTriage.Reports.Json;

/// <summary>Turns what was judged into parts of the JSON report.</summary>
internal static class PartsOfJudgement
{
    public static VerdictPart Of(Verdict verdict) => Filled(verdict, verdict.Kind, verdict.Confidence, verdict.ConfidenceReason, new VerdictPart { Rule = verdict.Rule?.Id });

    public static FindingPart Of(Finding finding) => Filled(finding, finding.Kind, finding.Confidence, finding.ConfidenceReason, new FindingPart
    {
        Rule = finding.Rule.Id,
        Name = finding.Rule.Name,
        Severity = JsonNames.Of(finding.Severity),
    });

    private static T Filled<T>(Account account, VerdictKind kind, Confidence? confidence, string reason, T part)
        where T : JudgementPart
        => part with
        {
            Kind = kind.ToString(),
            Confidence = confidence?.ToString(),
            ConfidenceReason = reason,
            Title = account.Title.Text,
            Since = Of(account.Since),
            Signature = account.Signature.Text,
            SignatureHash = account.Signature.Hash,
            SignatureFrames = account.Signature.Frames,
            Culprit = account.Culprit is { } culprit ? Of(culprit) : null,
            Chain = [.. account.Chain.Select(Of)],
            Victims = [.. account.Victims.Select(Of)],
            Evidence = [.. account.Evidence.Select(Of)],
            Contradictions = [.. account.Contradictions.Select(Of)],
            Gaps = Of(account.Gaps),
            Advice = [.. account.Advice.Select(advice => advice.Text)],
        };

    public static AgePart? Of(Age? age)
        => age is null ? null : new AgePart(age.AtLeast.TotalMilliseconds, age.AtMost?.TotalMilliseconds, age.Source);

    public static SuspectPart Of(Suspect suspect) => new(
        JsonNames.Of(suspect.Kind), JsonNames.Of(suspect.Weight), suspect.Title.Text, [.. suspect.Waiters.Select(Of)]);

    public static RulePart Of(RuleReport report) => new(
        report.Rule.Id, report.Rule.Name, JsonNames.Of(report.Outcome.Kind), report.Outcome.Why, Of(report.Outcome.Gaps));

    public static IReadOnlyList<GapPart> Of(IReadOnlyList<Gap> gaps) => [.. gaps.Select(gap => new GapPart(gap.What, gap.Why))];

    public static IReadOnlyList<GapPart> Of(IReadOnlyList<GapCount> gaps)
        => [.. gaps.Select(gap => new GapPart(gap.Gap.What, gap.Gap.Why) { Count = gap.Count == 1 ? null : gap.Count })];

    private static PartyPart Of(Party party) => new(
        JsonNames.Of(party.Kind),
        party.Label.Text,
        party.Thread?.ToString(),
        party.Lock is { } id ? new LockPart(JsonNames.Of(id.Kind), id.Address.ToString()) : null,
        party.Task?.ToString(),
        party.Role?.Text);

    private static LinkPart Of(ChainLink link) => new(Of(link.From), link.Edge, Of(link.To));

    private static EvidencePart Of(Evidence item) => new(
        item.Claim.Text, item.Source, JsonNames.Of(item.Trust), item.Thread?.ToString(), item.Frame?.Text, item.Address?.ToString());
}
