using HangTriage.Facts;

namespace HangTriage.Rules.Locks;

/// <summary>Threads wait for a managed lock whose owner ended without giving it back.</summary>
public sealed class OrphanedManagedLockRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT1002", "orphaned managed lock", "A thread ended while it held a monitor, a Lock or a reader/writer lock, and others wait for it.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (ManagedSection.WithLocks(context.Snapshot, out RuleOutcome outcome) is null)
        {
            return outcome;
        }

        Finding[] findings =
        [
            .. context.Locks
                .Where(@lock => @lock.Id.Kind.IsManaged() && @lock.OwnerHasEnded == true)
                .Select(@lock => Describe(context, @lock))
                .OfType<Finding>(),
        ];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : outcome;
    }

    private Finding? Describe(RuleContext context, LockFacts @lock)
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
            [
                "Find out how the owner ended between taking the lock and giving it back: an exception, or a return without Exit.",
                "Use the lock statement, or Exit in a finally block.",
            ]);

    private static string Why(LockFacts @lock)
        => @lock.Id.Kind.IsReaderWriter() && !@lock.Owner.HasValue && @lock.Readers is { } readers && readers.TryGet(out IReadOnlyList<ThreadId>? found)
            ? $"counts more readers than the {found.Count} of the threads that live"
            : @lock.Owner.Gap?.Why ?? $"its owner, thread {@lock.Owner.Value}, has ended";
}
