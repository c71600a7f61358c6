using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Locks;

/// <summary>Several threads wait for an SRW lock whose owner is not recorded. No verdict, and not healthy either.</summary>
public sealed class SrwConvoyRule : IRule
{
    private const int FewestWaiters = 2;

    public RuleInfo Info { get; } = new("HT3006", "SRW lock convoy", "Several threads wait for one SRW lock, which does not record its owner.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Windows is null)
        {
            return RuleOutcome.NotApplicable("only Windows processes have SRW locks");
        }

        Finding[] findings =
        [
            .. context.Locks
                .Where(@lock => @lock.Id.Kind == LockKind.SrwLock && !@lock.Owner.HasValue)
                .Select(@lock => Describe(context, @lock))
                .OfType<Finding>(),
        ];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private Finding? Describe(RuleContext context, LockFacts @lock)
    {
        WaitEdge[] waits = [.. context.Graph.To(WaitNode.Of(@lock.Id)).Where(edge => edge.From.Thread is not null)];
        if (waits.Length < FewestWaiters)
        {
            return null;
        }

        string label = Parties.Label(context, @lock.Id);
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Warning,
            Kind = VerdictKind.Inconclusive,
            Confidence = waits.All(wait => wait.Trust is Trust.Read or Trust.Derived) ? Confidence.Likely : Confidence.Possible,
            ConfidenceReason = "the waiters were found; the owner is not recorded",
            Title = string.Create(CultureInfo.InvariantCulture, $"{waits.Length} threads wait for {label}, whose owner is not recorded"),
            Culprit = Parties.OfLock(context, @lock.Id),
            Victims = [.. waits.Select(wait => Parties.Of(context, wait.From))],
            Evidence = [.. waits.Select(wait => new Evidence($"{Parties.Of(context, wait.From).Label} waits for it", wait.Source, wait.Trust) { Thread = wait.From.Thread })],
            Gaps = [@lock.Owner.Gap!],
            Advice = ["Look for a thread that is inside a function which takes this lock, and for what it waits."],
            Signature = Signature.Of(Info, [context.Find(waits[0].From.Thread!.Value)?.Thread.Stack.Frames ?? []]),
        };
    }
}
