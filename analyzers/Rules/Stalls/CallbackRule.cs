using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Stalls;

/// <summary>A thread waits for the end of a callback of a timer, token or registered wait, and the callback waits for that thread or for what does not come.</summary>
public sealed class CallbackRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT6004", "callback that is waited for", "A thread waits for the end of a callback of a timer, cancellation token or registered wait, and the callback waits for the thread, or for what does not come.")
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
            LockKind.Callback,
            "Hold no lock that the callback takes while disposing of its timer or registration; CancellationTokenRegistration.Unregister does not wait.",
            "Do not wait in a callback for its own end: Timer.Dispose() without an argument, and Unregister(null), do not wait.");
        return RuleOutcome.Of([.. waits.Circles(CycleClass.Callback), .. waits.Stuck()]);
    }
}
