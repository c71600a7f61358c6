using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Loader;

namespace HangTriage.Rules.Locks;

/// <summary>Threads that wait in a circle for native locks, or for each other's end, alone or mixed with managed locks.</summary>
public sealed class NativeLockCycleRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3004", "native lock cycle", "Threads wait in a circle for critical sections, SRW locks, mutexes or each other's end.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Windows is null)
        {
            return RuleOutcome.NotApplicable("native locks are read from Windows processes alone");
        }

        Finding[] findings =
        [
            .. context.Graph.Cycles()
                .Where(cycle => !ManagedLockCycleRule.IsManaged(context, cycle) && !Tasks.TaskCycles.HasTask(cycle) && !LoaderCalloutRule.IsItsCycle(context.Graph, cycle))
                .Select(cycle => Describe(new Circle(context, cycle))),
        ];

        // Waits that no list names show in the stacks; the verdict engine counts those that nothing explains.
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private Finding Describe(Circle circle)
    {
        (Confidence confidence, string reason) = Judge(circle.Round);
        return circle.Describe(Info, confidence, reason,
        [
            "Let every thread take these locks in one order, or hold no lock while it takes the next.",
            "Call nothing that can take another lock (callbacks, destructors, COM, LoadLibrary) while one is held.",
        ]);
    }

    private static (Confidence Confidence, string Reason) Judge(IReadOnlyList<WaitEdge> round)
        => round.Any(edge => edge.Trust is Trust.Scanned or Trust.Assumed)
            ? (Confidence.Possible, "a link of the circle is guessed from stack words or rests on an unverified layout")
            : round.Any(edge => !edge.Timeout.HasValue)
                ? (Confidence.Likely, "every link was found; whether a wait has a time-out is not recorded")
                : (Confidence.Certain, "every owner is read from its lock, and every wait from registers and stack, in agreement with the lock's own count");
}
