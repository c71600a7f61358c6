using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Stalls;

/// <summary>A static constructor waits for a thread that needs its type, or for what does not come, while others need the type.</summary>
public sealed class StaticConstructorRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT6002", "static constructor that waits", "A static constructor waits for a thread that needs its type, or for what does not come, while others need the type.")
    {
        Patterns = Pattern.ManagedLockCycle | Pattern.RuntimeStuck,
        Needs = Need.Threads | Need.Managed | Need.ManagedLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        RuntimeWait waits = new(
            context,
            Info,
            LockKind.StaticConstructor,
            "Let static constructors and initializers of static fields neither wait for other threads nor take locks; a Lazy<T> or an explicit start of the program is the place for such work.",
            "Touch the type once, at the start of the program, before several threads use it.");
        return RuleOutcome.Of([.. waits.Circles(CycleClass.StaticConstructor), .. waits.Stuck()]);
    }
}
