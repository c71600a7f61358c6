using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Stalls;

/// <summary>
/// A thread waits for the end of a callback of a timer, token, registered wait or file system watcher, and the callback waits for that
/// thread or for what does not come.
/// </summary>
public sealed class CallbackRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT6004", "callback that is waited for", "A thread waits for the end of a callback of a timer, cancellation token, registered wait or file system watcher, and the callback waits for the thread, or for what does not come.")
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
        RuntimeWait watchers = new(
            context,
            Info,
            LockKind.Callback,
            "Do not call WaitForChanged in a handler of the watcher: the handler is told of each change; another watcher can wait for one.",
            "Hold no lock that a handler of the watcher takes while waiting in WaitForChanged.");
        return RuleOutcome.Of(
        [
            .. watchers.Circles(CycleClass.Callback, circle => IsOfWatcher(context, circle)),
            .. waits.Circles(CycleClass.Callback, circle => !IsOfWatcher(context, circle)),
            .. waits.Stuck(),
        ]);
    }

    private static bool IsOfWatcher(RuleContext context, Circle circle)
        => circle.Round.Any(edge => edge.To.Lock is { Kind: LockKind.Callback } id
            && context.Locks.Any(held => held.Id == id && held.Name.Is(name => name == "System.IO.FileSystemWatcher")));
}
