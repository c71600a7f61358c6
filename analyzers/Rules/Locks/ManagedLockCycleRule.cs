using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Locks;

/// <summary>Threads that wait in a circle for managed locks which the next one holds, or for each other's end.</summary>
public sealed class ManagedLockCycleRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT1001", "managed lock cycle", "Threads wait in a circle for monitors, Locks or reader/writer locks, or for each other's end.")
    {
        Patterns = Pattern.ManagedLockCycle,
        Needs = Need.Managed | Need.ManagedLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of([.. context.CirclesOf(CycleClass.Managed).Select(Describe)]);
    }

    private Observation Describe(Circle circle)
        => circle.Describe(
            Info,
            Pattern.ManagedLockCycle,
            Links.OfRecorded(circle.Round),
            circle.IsOfLocksAlone
                ?
                [
                    "Let every thread take these locks in one order, or hold no lock while it takes the next.",
                    "Take the second lock with a timeout where one order is not possible, and give the first one back when it expires.",
                ]
                : [circle.JoinAdvice]);
}
