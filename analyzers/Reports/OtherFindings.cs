using HangTriage.Rules;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

internal static class OtherFindings
{
    /// <summary>What was found beside the finding that decided: that one is the verdict.</summary>
    public static IReadOnlyList<Finding> Of(TriageResult result)
        => [.. result.Findings.Where((finding, index) => index > 0 || !Decides(finding, result.Verdict))];

    /// <summary>As "HT1001 managed lock cycle (hang): 2 threads wait for each other in a circle"; in short where it blames whom the verdict blames.</summary>
    public static Claim Describe(Finding finding, Verdict verdict)
        => finding.Rule.Id != verdict.Rule?.Id && finding.Culprit is { } culprit && verdict.Culprit is { } named && Chains.Same(culprit, named)
            ? (Claim)$"{finding.Rule.Id} {finding.Rule.Name} ({Words.Of(finding.Severity)}): the same culprit, {culprit}"
            : $"{finding.Rule.Id} {finding.Rule.Name} ({Words.Of(finding.Severity)}): {finding.Title}";

    private static bool Decides(Finding finding, Verdict verdict)
        => finding.Rule.Id == verdict.Rule?.Id && finding.Title.Equals(verdict.Title);
}
