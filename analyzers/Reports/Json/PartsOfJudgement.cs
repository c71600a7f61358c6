using HangTriage.Facts;
using HangTriage.Rules;

namespace HangTriage.Reports.Json;

/// <summary>Turns what was judged into parts of the JSON report.</summary>
internal static class PartsOfJudgement
{
    public static VerdictPart Of(Verdict verdict) => new()
    {
        Kind = verdict.Kind.ToString(),
        Confidence = verdict.Confidence.ToString(),
        ConfidenceReason = verdict.ConfidenceReason,
        Title = verdict.Title,
        Rule = verdict.Rule?.Id,
        Signature = verdict.Signature,
        Culprit = verdict.Culprit is { } culprit ? Of(culprit) : null,
        Chain = [.. verdict.Chain.Select(Of)],
        Victims = [.. verdict.Victims.Select(Of)],
        Evidence = [.. verdict.Evidence.Select(Of)],
        Contradictions = [.. verdict.Contradictions.Select(Of)],
        Gaps = Of(verdict.Gaps),
        Advice = verdict.Advice,
    };

    public static FindingPart Of(Finding finding) => new()
    {
        Rule = finding.Rule.Id,
        Name = finding.Rule.Name,
        Severity = JsonNames.Of(finding.Severity),
        Kind = finding.Kind.ToString(),
        Confidence = finding.Confidence.ToString(),
        ConfidenceReason = finding.ConfidenceReason,
        Title = finding.Title,
        Signature = finding.Signature,
        Culprit = finding.Culprit is { } culprit ? Of(culprit) : null,
        Chain = [.. finding.Chain.Select(Of)],
        Victims = [.. finding.Victims.Select(Of)],
        Evidence = [.. finding.Evidence.Select(Of)],
        Contradictions = [.. finding.Contradictions.Select(Of)],
        Gaps = Of(finding.Gaps),
        Advice = finding.Advice,
    };

    public static RulePart Of(RuleReport report) => new(
        report.Rule.Id, report.Rule.Name, JsonNames.Of(report.Outcome.Kind), report.Outcome.Why, Of(report.Outcome.Gaps));

    public static IReadOnlyList<GapPart> Of(IReadOnlyList<Gap> gaps) => [.. gaps.Select(gap => new GapPart(gap.What, gap.Why))];

    private static PartyPart Of(Party party) => new(
        JsonNames.Of(party.Kind),
        party.Label,
        party.Thread?.ToString(),
        party.Lock is { } id ? new LockPart(JsonNames.Of(id.Kind), id.Address.ToString()) : null,
        party.Task?.ToString(),
        party.Role);

    private static LinkPart Of(ChainLink link) => new(Of(link.From), link.Edge, Of(link.To));

    private static EvidencePart Of(Evidence item) => new(
        item.Claim, item.Source, JsonNames.Of(item.Trust), item.Thread?.ToString(), item.Frame, item.Address?.ToString());
}
