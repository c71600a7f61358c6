using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Locks;

/// <summary>Threads that wait in a circle for native locks, or for each other's end, alone or mixed with managed locks.</summary>
public sealed class NativeLockCycleRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3004", "native lock cycle", "Threads wait in a circle for critical sections, SRW locks, mutexes (of Windows or of pthreads) or each other's end.")
    {
        Patterns = Pattern.NativeLockCycle,
        Needs = Need.Threads | Need.NativeLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of([.. context.CirclesOf(CycleClass.Native).Select(Describe)]);
    }

    private Observation Describe(Circle circle)
        => circle.Describe(
            Info,
            Pattern.NativeLockCycle,
            Links.OfNative(circle.Round),
            circle.IsOfLocksAlone
                ?
                [
                    "Let every thread take these locks in one order, or hold no lock while it takes the next.",
                    "Call nothing that can take another lock (callbacks, destructors, COM, LoadLibrary) while one is held.",
                ]
                : [circle.JoinAdvice]);
}
