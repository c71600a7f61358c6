using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>
/// Holds findings against an earlier capture: a thread that is said to be stuck and was elsewhere then, or has worked
/// since, is not stuck since then.
/// </summary>
internal static class Moved
{
    /// <summary>The finding with what contradicts it; one step less sure where a thread of its chain has moved on.</summary>
    public static Finding Consider(RuleContext context, Finding finding)
    {
        if (context.Earlier is null || finding.Severity != Severity.Hang)
        {
            return finding;
        }

        HashSet<ThreadId> chain = [.. finding.Chain.Select(link => link.From.Thread).OfType<ThreadId>()];
        (ThreadId Id, ThreadProgress Progress)[] moved =
        [
            .. chain.Concat(finding.Victims.Select(victim => victim.Thread).OfType<ThreadId>()).Distinct()
                .Select(id => (id, context.Find(id) is { } thread ? ThreadProgress.Of(thread.Thread, context.Earlier) : null))
                .Where(pair => pair.Item2 is { HasMovedOn: true })
                .Select(pair => (pair.id, pair.Item2!)),
        ];
        if (moved.Length == 0)
        {
            return finding;
        }

        bool isChainBroken = moved.Any(thread => chain.Contains(thread.Id)) && finding.Confidence != Confidence.Possible;
        return finding with
        {
            Contradictions = [.. finding.Contradictions, .. moved.Select(thread => Describe(context, thread.Id, thread.Progress))],
            Confidence = isChainBroken ? finding.Confidence + 1 : finding.Confidence,
            ConfidenceReason = isChainBroken
                ? $"{finding.ConfidenceReason}; but {Parties.Label(context, moved.First(thread => chain.Contains(thread.Id)).Id)} moved on between the captures"
                : finding.ConfidenceReason,
        };
    }

    private static Evidence Describe(RuleContext context, ThreadId id, ThreadProgress progress)
    {
        string label = Parties.Label(context, id);
        string before = $"{SpinText.Duration(progress.Between)} earlier";
        return new Evidence(
            progress.IsSamePlace
                ? $"{label} waited at the same place {before}, and has used {SpinText.Duration(progress.Cpu ?? TimeSpan.Zero)} of CPU since: it went on in between"
                : $"{label} was elsewhere {before}: it has waited for less than that",
            "earlier capture",
            Trust.Derived)
        {
            Thread = id,
        };
    }
}
