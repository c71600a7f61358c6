using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;

namespace HangTriage.Rules;

/// <summary>Every wait that no finding of a hang explains, that is not known to end and not known to be idling.</summary>
internal static class AllSuspects
{
    /// <summary>The waits that were followed to an end that is stuck come first: others depend on it.</summary>
    public static IReadOnlyList<Suspect> Of(RuleContext context, IReadOnlyList<Finding> findings)
    {
        Suspect[] followed = [.. Unexplained.Waits(context, findings).Select(wait => Of(context, wait))];
        HashSet<ThreadId> explained =
        [
            .. findings.Where(finding => finding.Kind.IsHang() || finding.Kind == VerdictKind.Inconclusive)
                .SelectMany(finding => finding.Victims.Concat(finding.Chain.SelectMany(link => new[] { link.From, link.To })).Append(finding.Culprit))
                .Select(party => party?.Thread)
                .OfType<ThreadId>(),
            .. followed.SelectMany(suspect => suspect.Waiters).Select(party => party.Thread).OfType<ThreadId>(),
            .. followed.SelectMany(suspect => suspect.Chain).Select(edge => edge.To.Thread).OfType<ThreadId>(),
        ];
        return
        [
            .. followed,
            .. new SuspectFinder(context).Find(explained).Concat(new FlowSuspects(context).Find())
                .Select(suspect => Beside(context, suspect)).OrderByDescending(suspect => suspect.Weight),
        ];
    }

    // A consumer of the program has failed: a wait that would be no matter otherwise may be for what it was to bring.
    private static Suspect Beside(RuleContext context, Suspect suspect)
        => suspect is { Weight: Weight.None, Work: null, Kind: not SuspectKind.Runtime }
            && context.Managed?.Reach is { } known && known.TryGet(out ReachFacts? reach) && reach.FailedConsumers is [var failed, ..]
                ? suspect with
                {
                    Weight = Weight.InWorkItem,
                    Title = $"{suspect.Title}; {GiverText.Failed(failed)}",
                    Unknown = suspect.Unknown with { Why = $"{suspect.Unknown.Why}; {GiverText.Failed(failed)}" },
                }
                : suspect;

    // Both ends by name: who waits for which lock, and what its owner does.
    private static Claim Title(RuleContext context, UnexplainedWait wait)
    {
        Claim more = wait.Threads.Count > 1 ? $" and {Count.More(wait.Threads.Count - 1)} wait" : (Claim)" waits";
        return wait.Chain is [{ To.Lock: { } held }, { To.Thread: not null }, ..] && wait.Gap.Why.StartsWith(StuckOwner.TheOwner, StringComparison.Ordinal)
            ? (Claim)$"{Parties.Label(context, wait.Threads[0])}{more} for {Parties.Label(context, held)}; {wait.Gap.Why}"
            : $"{wait.Gap.What} is unknown: {wait.Gap.Why}";
    }

    private static Suspect Of(RuleContext context, UnexplainedWait wait) => new()
    {
        Kind = wait.Kind,
        Weight = Weight.OthersWait,
        Count = wait.Threads.Count,
        Waiters = [.. wait.Threads.Select(thread => Parties.OfThread(context, thread))],
        Title = Title(context, wait),
        Unknown = wait.Gap,
        Chain = wait.Chain,
        Work = wait.Chain is [.., { To.Thread: { } end }] ? new WorkUnderWay(context).For(end) : null,
    };
}
