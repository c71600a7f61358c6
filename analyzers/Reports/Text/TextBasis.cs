using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Policy;

namespace HangTriage.Reports.Text;

/// <summary>What the verdict rests on, what speaks against it, what could not be seen, and what else was found.</summary>
internal sealed class TextBasis(TriageResult result, TextLists lists, TextLines lines, TextReportOptions options)
{
    public void Write()
    {
        lists.Write("Evidence", result.Verdict.Evidence, Describe);
        lists.Write("What speaks against it", result.Verdict.Contradictions, Describe);
        lists.Write("Also found", OtherFindings.Of(result), finding => OtherFindings.Describe(finding, result.Verdict));
        lists.Write("What could not be seen", Unseen.Of(result), group => group.ToText(options.MaxItems));
        WriteOthers(Unseen.Others(result));
        WriteNextTime();
    }

    private void WriteOthers(IReadOnlyList<UnseenGroup> others)
    {
        // Where there is no answer, it may be for one of these.
        if (options.IsWhole || result.Verdict.Kind == VerdictKind.Inconclusive)
        {
            lists.Write("Not in the input", others, group => group.ToText(options.MaxItems));
        }
        else if (others.Sum(group => group.What.Count) is > 0 and int count)
        {
            lines.Blank();
            lines.Wrapped(string.Empty, $"Not in the input, and not missed for this verdict: {Count.Of(count, "thing")}{(options.WholeBy is { } option ? $" ({option} lists them)" : string.Empty)}");
        }
    }

    private void WriteNextTime()
    {
        foreach ((string what, string command) in result.Verdict.Kind == VerdictKind.NotHung && !options.IsWhole ? [] : NextTime.Of(result))
        {
            lines.Blank();
            lines.Wrapped("Next time, ", $"{what}:");
            lines.Line($"    {command}");
        }
    }

    private static Claim Describe(Evidence item) => $"{item.Claim} [{EvidenceText.Basis(item)}]";
}
