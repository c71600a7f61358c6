using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Locks;

/// <summary>Threads wait for a native lock whose owner is not among the threads any more.</summary>
public sealed class OrphanedLockRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3003", "orphaned lock", "A thread ended while it held a lock, and others wait for that lock.")
    {
        Patterns = Pattern.OrphanedLock | Pattern.AbandonedLoad,
        Needs = Need.Threads | Need.NativeLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (!context.Snapshot.Threads.HasValue)
        {
            // No thread is gone because none is listed.
            return RuleOutcome.Clean();
        }

        return RuleOutcome.Of(
        [
            .. context.Locks
                .Where(@lock => !@lock.Id.Kind.IsManaged() && @lock.IsHeld.Is(held => held) && @lock.Owner.Is(owner => context.Find(owner) is null))
                .Select(@lock => Describe(context, @lock))
                .OfType<Observation>(),
            .. new[] { AbandonedLoad.Find(context, Info) }.OfType<Observation>(),
        ]);
    }

    private Observation? Describe(RuleContext context, LockFacts @lock)
    {
        ThreadId owner = @lock.Owner.Value;
        return Orphans.Describe(
            context,
            Info,
            @lock,
            [
                new Evidence($"{Parties.Label(context, @lock.Id)} is held, and names thread {owner} as its owner", "lock", @lock.Owner.Trust) { Address = @lock.Id.Address },
                new Evidence($"none of the process's {context.Threads.Count} threads has the id {owner}", "thread list", Trust.Read),
            ],
            [.. Against(context, owner)],
            $"Find out how the owner ended: {(context.Snapshot.Windows is null ? "pthread_exit, pthread_cancel or a return" : "TerminateThread, ExitThread or an exception")} while it held the lock.",
            "Release the lock on every way out (a guard object, __finally), and never end a thread from outside.");
    }

    // Thread ids of Windows are handles of a table of its own, so multiples of 4.
    private static IEnumerable<Evidence> Against(RuleContext context, ThreadId owner)
    {
        if (context.Snapshot.Windows is not null && (owner.Value == 0 || owner.Value % 4 != 0))
        {
            yield return new Evidence($"{owner} cannot be the id of a thread", "lock", Trust.Derived);
        }

        foreach (ThreadFacts thread in context.Threads.Select(thread => thread.Thread).Where(thread => thread.Teb?.Is(teb => teb.ClientId == owner) == true))
        {
            yield return new Evidence($"the environment block of {Parties.Label(context, thread.OsId)} says that it is thread {owner}", "TEB.ClientId", Trust.Read) { Thread = thread.OsId };
        }

        foreach (Gap gap in context.Snapshot.Gaps.Where(gap => gap is { IsLoss: true, What: "threads" }))
        {
            yield return new Evidence($"the list of threads is not whole: {gap.Why}", "thread list", Trust.Read);
        }
    }
}
