using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Locks;

/// <summary>Describes a lock whose owner has ended, and those who wait for it.</summary>
internal static class Orphans
{
    /// <param name="context">The facts.</param>
    /// <param name="rule">The rule that found it.</param>
    /// <param name="lock">The lock.</param>
    /// <param name="how">Where it shows that the owner has ended; its claim is a sentence about the lock.</param>
    /// <param name="against">What speaks against the owner's end: data that contradict each other are never certain.</param>
    /// <param name="advice">What to do.</param>
    /// <returns>Null where nobody waits for the lock without a timeout.</returns>
    public static Observation? Describe(
        RuleContext context, RuleInfo rule, LockFacts @lock, IReadOnlyList<Evidence> how, IReadOnlyList<Evidence> against, params IReadOnlyList<Claim> advice)
    {
        WaitNode node = WaitNode.Of(@lock.Id);
        WaitEdge[] waits = [.. context.Graph.To(node).Where(edge => edge.From.Thread is not null && !edge.EndsByItself)];
        if (waits.Length == 0)
        {
            return null;
        }

        IReadOnlyList<WaitNode> waiters = context.Graph.ThreadsBehind(node);
        Claim owner = @lock.Owner.TryGet(out ThreadId id) ? (Claim)$"thread {id}" : "a thread";
        Claim label = Parties.Label(context, @lock.Id);
        ChainLink[] held = @lock.Owner.HasValue
            ? [new ChainLink(Parties.OfLock(context, @lock.Id), EdgeText.Of(EdgeKind.HeldBy), Party.OfThread(id, $"{owner}, which has ended"))]
            : [];
        return new Observation
        {
            Rule = rule,
            Pattern = Pattern.OrphanedLock,
            Links = (LinkTrust)Math.Max((int)Links.Strongest(waits.Select(wait => wait.Trust)), (int)Links.Weakest(how.Select(evidence => evidence.Trust))),
            Signs = against.Count > 0 ? Sign.Contradiction : Sign.None,
            Title = @lock.Owner.HasValue
                ? (Claim)$"{Count.Waiting(waiters.Count)} for {label}, whose owner, {owner}, has ended"
                : $"{Count.Waiting(waiters.Count)} for {label}, whose owner has ended",
            Culprit = Parties.OfLock(context, @lock.Id) with { Role = @lock.Owner.HasValue ? (Claim)$"held by {owner}, which is not among the process's threads" : "held by a thread that has ended" },
            Chain = [Parties.Link(context, waits[0]), .. held],
            Victims = Waiters.PartiesOf(context, waiters),
            Evidence = [.. how, .. Waiters.Evidence(context, waits)],
            Contradictions = against,
            Advice = advice,
            Signature = Signature.Of(rule, [Waiters.StackOf(context, waits[0].From.Thread)]),
        };
    }
}
