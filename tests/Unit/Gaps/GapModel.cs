using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>What the formats print gaps from, without a format.</summary>
internal static class GapModel
{
    /// <summary>The gap is in a list of the report: what the verdict misses, all else that is not in the input, or the suspects.</summary>
    public static bool Has(TriageResult result, Gap probe)
        => Unseen.Others(result).Any(group => Names(group, probe))
            || (Unseen.Counted(result.Case).Any(gap => Names(gap.Gap, probe))
                && (Unseen.Of(result).Any(group => Names(group, probe))
                    || result.Verdict.Suspects.Any(suspect => Names(suspect.Title.Text, suspect.Title.Text, probe))));

    private static bool Names(UnseenGroup group, Gap probe) => group.What.Any(thing => Names(thing.What, group.Why, probe));

    private static bool Names(Gap gap, Gap probe) => Names(gap.What, gap.Why, probe);

    private static bool Names(string what, string why, Gap probe)
        => what.Contains(probe.What, StringComparison.Ordinal) && why.Contains(probe.Why, StringComparison.Ordinal);
}
