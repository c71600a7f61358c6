using HangTriage.Facts;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;

namespace HangTriage.Reports;

/// <summary>What could not be seen. It is derived from the facts themselves, so that no gap can be forgotten.</summary>
internal static class Unseen
{
    /// <summary>What matters for the verdict, by reason; waits of unknown end are the suspects, which are listed as such.</summary>
    public static IReadOnlyList<UnseenGroup> Of(TriageResult result)
    {
        Dictionary<Gap, int> counts = Counted(result.Case).ToDictionary(gap => gap.Gap, gap => gap.Count);
        HashSet<Gap> suspects = [.. result.Verdict.Suspects.Where(suspect => IsSaid(result.Verdict, suspect)).Select(suspect => suspect.Unknown)];
        return
        [
            .. result.Verdict.Gaps.Distinct()
                .Where(gap => !suspects.Contains(gap))
                .GroupBy(gap => gap.Why, StringComparer.Ordinal)
                .Select(group => new UnseenGroup(group.Key, [.. group.Select(gap => new UnseenThing(gap.What, counts.GetValueOrDefault(gap, 1)))])),
        ];
    }

    // Without a hang all suspects are listed; with one, those that are its own waits.
    private static bool IsSaid(Verdict verdict, Suspect suspect)
        => !verdict.Kind.IsHang() || verdict.Victims.Append(verdict.Culprit).OfType<Party>().Any(party => suspect.Waiters.Any(party.IsSame));

    /// <summary>Everything else that the facts do not hold, by reason, the reason that concerns most first.</summary>
    public static IReadOnlyList<UnseenGroup> Others(TriageResult result)
    {
        HashSet<Gap> shown = [.. result.Verdict.Gaps];
        return
        [
            .. Counted(result.Case).Where(gap => !shown.Contains(gap.Gap))
                .GroupBy(gap => gap.Gap.Why, StringComparer.Ordinal)
                .Select(group => new UnseenGroup(group.Key, [.. group.GroupBy(gap => gap.Gap.What, StringComparer.Ordinal).Select(what => new UnseenThing(what.Key, what.Sum(gap => gap.Count)))]))
                .OrderByDescending(group => group.What.Sum(what => what.Count)),
        ];
    }

    /// <summary>Every gap of the process, each once with how often it stands in the facts; of samples before, what the last one does not lack too.</summary>
    public static IReadOnlyList<GapCount> Counted(Case @case)
    {
        GapCount[] last = [.. Counted(@case.Last)];
        HashSet<Gap> seen = [.. last.Select(gap => gap.Gap)];
        return
        [
            .. last,
            .. @case.Samples.SkipLast(1).SelectMany(Counted).Where(gap => seen.Add(gap.Gap))
                .Select(gap => gap with { Gap = gap.Gap with { What = $"{gap.Gap.What} of an earlier capture" } }),
        ];
    }

    public static IReadOnlyList<Gap> OfThread(ThreadFacts thread) => [.. GapWalk.Of(thread).Distinct()];

    private static IReadOnlyCollection<GapCount> Counted(ProcessSnapshot snapshot)
    {
        Dictionary<Gap, GapCount> counts = [];
        foreach (Gap gap in GapWalk.Of(snapshot))
        {
            counts[gap] = new GapCount(gap, counts.TryGetValue(gap, out GapCount? sofar) ? sofar.Count + 1 : 1);
        }

        return counts.Values;
    }
}
