using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Locks;

/// <summary>Several threads wait for an SRW lock whose owner is not recorded. No verdict, and not healthy either.</summary>
public sealed class SrwConvoyRule : IRule
{
    public RuleInfo Info { get; } = new("HT3006", "SRW lock convoy", "Several threads wait for one SRW lock, which does not record its owner.")
    {
        Patterns = Pattern.SrwConvoy,
        Needs = Need.Windows | Need.Threads | Need.NativeLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of(
        [
            .. context.Locks
                .Where(@lock => @lock.Id.Kind == LockKind.SrwLock && !@lock.Owner.HasValue)
                .Select(@lock => Describe(context, @lock))
                .OfType<Observation>(),
        ]);
    }

    private Observation? Describe(RuleContext context, LockFacts @lock)
    {
        WaitEdge[] waits = [.. context.Graph.To(WaitNode.Of(@lock.Id)).Where(edge => edge.From.Thread is not null)];
        return waits.Length < Thresholds.WaitersOfSrwLock ? null : new Observation
        {
            Rule = Info,
            Pattern = Pattern.SrwConvoy,
            Links = Links.Weakest(waits.Select(wait => wait.Trust)),
            Title = $"{waits.Length} threads wait for {Parties.Label(context, @lock.Id)}, whose owner is not recorded",
            Culprit = Parties.OfLock(context, @lock.Id),
            Victims = Waiters.PartiesOf(context, waits.Select(wait => wait.From)),
            Evidence = [.. Waiters.Evidence(context, waits)],
            Gaps = [@lock.Owner.Gap!],
            Advice = ["Look for a thread that is inside a function which takes this lock, and for what it waits."],
            Signature = Signature.Of(Info, [Waiters.StackOf(context, waits[0].From.Thread)]),
        };
    }
}
