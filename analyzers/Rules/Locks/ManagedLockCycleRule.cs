using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules.Locks;

/// <summary>Threads that wait in a circle for managed locks which the next one holds, or for each other's end.</summary>
public sealed class ManagedLockCycleRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT1001", "managed lock cycle", "Threads wait in a circle for monitors, Locks or reader/writer locks, or for each other's end.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (ManagedSection.WithLocks(context.Snapshot, out RuleOutcome outcome) is null)
        {
            return outcome;
        }

        Finding[] findings = [.. context.Graph.Cycles().Where(cycle => IsManaged(context, cycle)).Select(cycle => Describe(new Circle(context, cycle)))];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : outcome;
    }

    /// <summary>All of its locks are managed ones and none of it is a task; where it has no lock, its threads wait for each other's end and run managed code.</summary>
    internal static bool IsManaged(RuleContext context, IReadOnlyList<WaitNode> cycle)
    {
        LockId[] locks = [.. cycle.Select(node => node.Lock).OfType<LockId>()];
        return cycle.All(node => node.Task is null)
            && (locks.Length > 0
                ? locks.All(@lock => @lock.Kind.IsManaged())
                : cycle.All(node => node.Thread is { } thread && context.Find(thread)?.Thread.ManagedId is not null));
    }

    private Finding Describe(Circle circle)
    {
        (Confidence confidence, string reason) = Judge(circle.Round);
        return circle.Describe(Info, confidence, reason,
        [
            "Let every thread take these locks in one order, or hold no lock while it takes the next.",
            "Where one order is not possible, take the second lock with a time-out and give the first one back when it expires.",
        ]);
    }

    private static (Confidence Confidence, string Reason) Judge(IReadOnlyList<WaitEdge> round)
    {
        if (round.Any(edge => edge.Trust is Trust.Scanned or Trust.Assumed))
        {
            return (Confidence.Possible, "a link of the circle is guessed from stack words or rests on an unverified layout");
        }

        if (round.Any(edge => !edge.Timeout.HasValue))
        {
            return (Confidence.Likely, "every link was found; whether a wait has a time-out is not recorded");
        }

        return round.Any(edge => edge.Trust == Trust.Derived && edge.From.Thread is not null)
            ? (Confidence.Likely, "every link was found; a wait is concluded from the stack and its objects")
            : (Confidence.Certain, "every wait and every owner is recorded by the runtime, and no wait has a time-out");
    }
}
