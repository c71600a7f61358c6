using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Loader;

namespace HangTriage.Rules.Locks;

/// <summary>Threads wait for a native lock whose owner is not among the threads any more.</summary>
public sealed class OrphanedLockRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3003", "orphaned lock", "A thread ended while it held a lock, and others wait for that lock.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Windows is null)
        {
            return RuleOutcome.NotApplicable("native locks are read from Windows processes alone");
        }

        if (context.Snapshot.Threads.Gap is { } gap)
        {
            return RuleOutcome.Blind(gap);
        }

        Finding[] findings =
        [
            .. context.Locks
                .Where(@lock => !@lock.Id.Kind.IsManaged() && @lock.IsHeld.Is(held => held) && @lock.Owner.Is(owner => context.Find(owner) is null))
                .Select(@lock => Describe(context, @lock))
                .OfType<Finding>(),
            .. new[] { AbandonedLoad.Find(context, Info) }.OfType<Finding>(),
        ];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private Finding? Describe(RuleContext context, LockFacts @lock)
    {
        ThreadId owner = @lock.Owner.Value;
        string label = Parties.Label(context, @lock.Id);
        return Orphans.Describe(
            context,
            Info,
            @lock,
            [
                new Evidence($"{label} is held, and names thread {owner} as its owner", "lock", @lock.Owner.Trust) { Address = @lock.Id.Address },
                new Evidence(
                    string.Create(CultureInfo.InvariantCulture, $"none of the process's {context.Threads.Count} threads has the id {owner}"),
                    "thread list",
                    Trust.Read),
            ],
            [
                "Find out how the owner ended: TerminateThread, ExitThread or an exception while it held the lock.",
                "Give the lock back on every way out (a guard object, __finally), and never end a thread from outside.",
            ]);
    }
}
