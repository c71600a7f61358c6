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
        lists.Write("Also found", OtherFindings.Of(result), OtherFindings.Describe);
        lists.Write("What could not be seen", Unseen.Of(result), group => group.ToText(options.MaxItems));
        WriteOthers(Unseen.Others(result));
    }

    private void WriteOthers(IReadOnlyList<UnseenGroup> others)
    {
        // Whoever has no answer needs them.
        if (options.IsWhole || !result.Verdict.Kind.IsHang())
        {
            lists.Write("Not in the input", others, group => group.ToText(options.MaxItems));
        }
        else if (others.Sum(group => group.What.Count) is > 0 and int count)
        {
            lines.Blank();
            lines.Wrapped(string.Empty, $"Not in the input, and not missed for this verdict: {Count.Of(count, "thing")}{(options.WholeBy is { } option ? $" ({option} lists them)" : string.Empty)}");
        }
    }

    private static Claim Describe(Evidence item)
    {
        Claim frame = item.Frame is { } shown ? $", {shown}" : Claim.Empty;
        Claim place = item.Address is { } address ? $"{frame}, at {address}" : frame;
        return $"{item.Claim} [{Words.Of(item.Trust)}: {item.Source}{place}]";
    }
}
