using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Locks;

/// <summary>Threads wait for a managed lock whose owner ended without releasing it.</summary>
public sealed class OrphanedManagedLockRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT1002", "orphaned managed lock", "A thread ended while it held a monitor, a Lock or a reader/writer lock, and others wait for it.")
    {
        Patterns = Pattern.OrphanedLock,
        Needs = Need.Managed | Need.ManagedLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return RuleOutcome.Of(
        [
            .. context.Locks
                .Where(@lock => @lock.Id.Kind.IsManaged() && @lock.OwnerHasEnded == true)
                .Select(@lock => Describe(context, @lock))
                .OfType<Observation>(),
        ]);
    }

    private Observation? Describe(RuleContext context, LockFacts @lock)
        => Orphans.Describe(
            context,
            Info,
            @lock,
            [
                new Evidence($"{Parties.Label(context, @lock.Id)} is held, and {Why(@lock)}", "lock", @lock.IsHeld.HasValue ? @lock.IsHeld.Trust : Trust.Derived)
                {
                    Address = @lock.Id.Address,
                },
            ],
            [],
            "Find out how the owner ended between taking the lock and releasing it: an exception, or a return without Exit.",
            "Use the lock statement, or Exit in a finally block.");

    private static Claim Why(LockFacts @lock)
        => @lock.Id.Kind.IsReaderWriter() && !@lock.Owner.HasValue && @lock.Readers is { } readers && readers.TryGet(out IReadOnlyList<ThreadId>? found)
            ? (Claim)$"counts more readers than the {found.Count} of the threads that live"
            : @lock.Owner.TryGet(out ThreadId owner) ? (Claim)$"its owner, thread {owner}, has ended"
            : @lock.Owner.Gap!.Why;
}
