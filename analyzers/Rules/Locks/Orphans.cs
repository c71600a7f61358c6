using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Locks;

/// <summary>Describes a lock whose owner has ended, and those who wait for it.</summary>
internal static class Orphans
{
    /// <param name="context">The facts.</param>
    /// <param name="rule">The rule that found it.</param>
    /// <param name="lock">The lock.</param>
    /// <param name="how">Where it shows that the owner has ended; its claim is a sentence about the lock.</param>
    /// <param name="advice">What to do.</param>
    /// <returns>Null where nobody waits for the lock without a time-out.</returns>
    public static Finding? Describe(RuleContext context, RuleInfo rule, LockFacts @lock, IReadOnlyList<Evidence> how, IReadOnlyList<string> advice)
    {
        WaitNode node = WaitNode.Of(@lock.Id);
        WaitEdge[] waits = [.. context.Graph.To(node).Where(edge => edge.From.Thread is not null && !edge.EndsByItself)];
        if (waits.Length == 0)
        {
            return null;
        }

        IReadOnlyList<WaitNode> waiters = context.Graph.ThreadsBehind(node);
        bool isProven = waits.Any(edge => edge.Trust is Trust.Read or Trust.Derived) && how.All(evidence => evidence.Trust is Trust.Read or Trust.Derived);
        string owner = @lock.Owner.TryGet(out ThreadId id) ? $"thread {id}" : "a thread";
        string label = Parties.Label(context, @lock.Id);
        string count = string.Create(CultureInfo.InvariantCulture, $"{waiters.Count} thread{(waiters.Count == 1 ? " waits" : "s wait")}");
        ChainLink[] held = @lock.Owner.HasValue
            ? [new ChainLink(Parties.OfLock(context, @lock.Id), "is held by", Party.OfThread(id, $"{owner}, which has ended"))]
            : [];
        return new Finding
        {
            Rule = rule,
            Severity = Severity.Hang,
            Kind = VerdictKind.Orphaned,
            Confidence = isProven ? Confidence.Certain : Confidence.Possible,
            ConfidenceReason = isProven
                ? "the lock is held, its owner is not among the threads, and a wait for the lock was found"
                : "who waits for the lock is guessed from stack words",
            Title = @lock.Owner.HasValue
                ? $"{count} for {label}, whose owner, {owner}, has ended"
                : $"{count} for {label}, which a thread holds that has ended",
            Culprit = Parties.OfLock(context, @lock.Id) with { Role = $"held by {owner}, which is not among the process's threads" },
            Chain = [Parties.Link(context, waits[0]), .. held],
            Victims = [.. waiters.Select(waiter => Parties.Of(context, waiter))],
            Evidence =
            [
                .. how,
                .. waits.Select(wait => new Evidence($"{Parties.Of(context, wait.From).Label} waits for it", wait.Source, wait.Trust) { Thread = wait.From.Thread }),
            ],
            Advice = advice,
            Signature = Signature.Of(rule, [context.Find(waits[0].From.Thread!.Value)?.Thread.Stack.Frames ?? []]),
        };
    }
}
