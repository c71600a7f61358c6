using HangTriage.Rules;

namespace HangTriage.Reports;

internal static class OtherFindings
{
    /// <summary>What was found beside the finding that decided: that one is the verdict.</summary>
    public static IReadOnlyList<Finding> Of(TriageResult result)
        => [.. result.Findings.Where((finding, index) => index > 0 || !Decides(finding, result.Verdict))];

    private static bool Decides(Finding finding, Verdict verdict)
        => finding.Rule.Id == verdict.Rule?.Id && finding.Title.Equals(verdict.Title);
}
