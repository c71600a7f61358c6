using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Stalls;

/// <summary>
/// A thread has sent a call to the thread of a user interface or context and waits for it, and that thread waits for the sender.
/// </summary>
public sealed class SentCallRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT6006", "invoke on a thread that waits", "A thread waits until a call that it has sent to another thread's context has run, and that thread waits for the sender.")
    {
        Patterns = Pattern.ManagedLockCycle,
        Needs = Need.Threads | Need.Managed | Need.ManagedLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        RuntimeWait waits = new(
            context,
            Info,
            LockKind.ContextCall,
            "Use Post instead of Send, and BeginInvoke or InvokeAsync instead of Invoke: the sender need not wait.",
            "Hold no lock while sending a call to another thread, and do not block the thread of a context on those who send to it.");
        return RuleOutcome.Of([.. waits.Circles(CycleClass.ContextCall)]);
    }
}
