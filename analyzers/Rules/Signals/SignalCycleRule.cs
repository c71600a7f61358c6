using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Signals;

/// <summary>Threads or async methods each wait for what only another of them can bring.</summary>
public sealed class SignalCycleRule : IRule
{
    private const int MostNamed = 4;

    public RuleInfo Info { get; } = new(
        "HT2013", "signals in a circle", "Threads or async methods each wait for a signal, a reply or an async lock that another of them has to give.")
    {
        Patterns = Pattern.SignalCycle,
        Needs = Need.Managed,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return context.Managed?.Reach?.Gap is { } gap
            ? RuleOutcome.Blind(gap)
            : RuleOutcome.Of([.. context.LostWaits.Ends().Where(end => end.Count > 1).Select(end => Describe(context, end))]);
    }

    private Observation Describe(RuleContext context, IReadOnlyList<LostWait> circle)
    {
        IReadOnlyList<LostWait> round = Round(context, circle);
        Party[] parties = [.. round.Select((wait, index) => LostWaitText.Member(context, wait, round[(index + round.Count - 1) % round.Count]))];
        Claim names = Claim.Join(" and ", parties.Take(MostNamed).Select(party => party.Label));
        LostWaitWeight weight = new(context);
        ThreadId[] own = [.. circle.SelectMany(wait => wait.Waits).Select(wait => wait.Thread)];
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.SignalCycle,
            Links = LinkTrust.Concluded,
            Signs = circle.Any(wait => wait.Reach.IsInStatic) ? Sign.InStatic : Sign.None,
            Title = Title(context, round, names, parties),
            Culprit = parties[0] with { Role = "the first in the circle; all its members are equally to blame" },
            Chain = [.. parties.Select((party, index) => new ChainLink(party, "waits for what is to come from", parties[(index + 1) % parties.Length]))],
            Victims =
            [
                .. circle.SelectMany(weight.ThreadsBehind).Except(own).Select(thread => Parties.OfThread(context, thread)),
                .. context.LostWaits.Behind(circle[0]).Except(circle).Select(wait => wait.Party(context)),
            ],
            Evidence = [.. circle.Select(wait => new Evidence(LostWaitText.Of(context, wait), "stack and heap", Trust.Derived)), .. LostWaitText.Looked(context, circle[0])],
            Advice =
            [
                circle.Any(wait => wait.Flow is { Waits.Kind: FlowWaitKind.Semaphore })
                    ? "Take the async locks in one order, or release the first before the second is awaited."
                    : "Let each signal what the other waits for before it waits itself.",
                "Wait with a timeout or a CancellationToken where the other side may wait as well.",
            ],
            Signature = LostWaitText.Signature(context, Info, circle),
            Watched = own,
        };
    }

    // Two calls of one method, and two callers of one, wait alike.
    private static Claim Title(RuleContext context, IReadOnlyList<LostWait> round, Claim names, Party[] parties)
    {
        Claim first = LostWaitText.What(context, round[0]);
        Claim second = LostWaitText.What(context, round[1]);
        Claim who = parties.All(party => party.Label.Text == parties[0].Label.Text) ? $"{parties.Length} calls of {parties[0].Label}" : names;
        return first.Text == second.Text ? (Claim)$"{who} wait for each other: in each, {first}" : $"{who} wait for each other: {first}; {second}";
    }

    /// <summary>Once around: of larger ends the way by the first that each needs.</summary>
    private static List<LostWait> Round(RuleContext context, IReadOnlyList<LostWait> circle)
    {
        List<LostWait> path = [];
        for (LostWait wait = circle[0]; !path.Contains(wait); wait = context.LostWaits.Needs(wait).First(circle.Contains))
        {
            path.Add(wait);
        }

        LostWait back = context.LostWaits.Needs(path[^1]).First(circle.Contains);
        return path[path.IndexOf(back)..];
    }
}
