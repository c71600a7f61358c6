using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;

namespace HangTriage.Rules;

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
                .Where(@lock => @lock.IsHeld.Is(held => held) && @lock.Owner.Is(owner => context.Find(owner) is null))
                .Select(@lock => Describe(context, @lock))
                .OfType<Finding>(),
            .. new[] { AbandonedLoad.Find(context, Info) }.OfType<Finding>(),
        ];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : RuleOutcome.Clean();
    }

    private Finding? Describe(RuleContext context, LockFacts @lock)
    {
        WaitNode node = WaitNode.Of(@lock.Id);
        WaitEdge[] waits = [.. context.Graph.To(node).Where(edge => edge.From.Thread is not null && !edge.EndsByItself)];
        if (waits.Length == 0)
        {
            return null;
        }

        IReadOnlyList<WaitNode> waiters = context.Graph.ThreadsBehind(node);
        bool isProven = waits.Any(edge => edge.Trust is Trust.Read or Trust.Derived) && @lock.Owner.Trust is Trust.Read or Trust.Derived;
        ThreadId owner = @lock.Owner.Value;
        string label = Parties.Label(context, @lock.Id);
        string count = string.Create(CultureInfo.InvariantCulture, $"{waiters.Count} thread{(waiters.Count == 1 ? " waits" : "s wait")}");
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Hang,
            Kind = VerdictKind.Orphaned,
            Confidence = isProven ? Confidence.Certain : Confidence.Possible,
            ConfidenceReason = isProven
                ? "the lock names its owner, the list of threads does not have it, and a wait for the lock was found"
                : "who waits for the lock is guessed from stack words",
            Title = $"{count} for {label}, whose owner, thread {owner}, has ended",
            Culprit = Parties.OfLock(context, @lock.Id) with { Role = $"held by thread {owner}, which is not among the process's threads" },
            Chain =
            [
                Parties.Link(context, waits[0]),
                new ChainLink(Parties.OfLock(context, @lock.Id), "is held by", Party.OfThread(owner, $"thread {owner}, which has ended")),
            ],
            Victims = [.. waiters.Select(waiter => Parties.Of(context, waiter))],
            Evidence =
            [
                new Evidence($"{label} is held, and names thread {owner} as its owner", "lock", @lock.Owner.Trust) { Address = @lock.Id.Address },
                new Evidence(
                    string.Create(CultureInfo.InvariantCulture, $"none of the process's {context.Threads.Count} threads has the id {owner}"),
                    "thread list",
                    Trust.Read),
                .. waits.Select(wait => new Evidence($"{Parties.Of(context, wait.From).Label} waits for it", wait.Source, wait.Trust) { Thread = wait.From.Thread }),
            ],
            Advice =
            [
                "Find out how the owner ended: TerminateThread, ExitThread or an exception while it held the lock.",
                "Give the lock back on every way out (a guard object, __finally), and never end a thread from outside.",
            ],
            Signature = Signature.Of(Info, [context.Find(waits[0].From.Thread!.Value)?.Thread.Stack.Frames ?? []]),
        };
    }
}
