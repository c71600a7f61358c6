using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Locks;

/// <summary>
/// Several threads wait without end for a bounded SemaphoreSlim of which every entry is taken, and who has them is not known: it is no
/// verdict, and not healthy either.
/// </summary>
public sealed class ExhaustedSemaphoreRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT1004", "exhausted semaphore", "Several threads wait without end for a bounded SemaphoreSlim of which every entry is taken.")
    {
        Patterns = Pattern.ExhaustedSemaphore,
        Needs = Need.Managed | Need.ManagedLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        ILookup<LockId, WaitFacts> waits = context.Waits
            .Where(wait => !wait.Timeout.Is(WaitLimit.Ends))
            .ToLookup(wait => wait.Lock);
        LockFacts[] awaited =
        [
            .. context.Locks.Where(@lock => @lock is { Id.Kind: LockKind.SemaphoreSlim, Holders: null }
                && !IsRoomOfQueue(context, @lock.Id)
                && !IsInHandsOfWorker(context, @lock.Id)
                && waits[@lock.Id].Count() >= Thresholds.WaitersOfSemaphore),
        ];
        return RuleOutcome.Of(
            [.. awaited.Select(@lock => Describe(context, @lock, [.. waits[@lock.Id]])).OfType<Observation>()],
            [.. awaited.Select(@lock => @lock.Entries?.Gap).OfType<Gap>().Distinct()]);
    }

    // Who empties the queue is known.
    private static bool IsRoomOfQueue(RuleContext context, LockId semaphore)
        => context.Managed?.QueueReaders is { } known && known.TryGet(out IReadOnlyList<QueueReaderFacts>? readers) && readers.Any(reader => reader.Thread is not null && reader.Queue == semaphore.Address);

    // Who alone can release it is known, and comes to that.
    private static bool IsInHandsOfWorker(RuleContext context, LockId semaphore)
        => context.Graph.From(WaitNode.Of(semaphore)).Where(edge => edge.To.Thread is not null).ToArray() is [var hands]
            && StuckOwner.Why(context, hands) is null
            && context.Fates.Of(hands.To) != Fate.Never;

    private Observation? Describe(RuleContext context, LockFacts semaphore, WaitFacts[] waits)
    {
        if (semaphore.Entries is not { } known || !known.TryGet(out SemaphoreEntries? entries) || entries.Left > 0 || !entries.IsBounded())
        {
            return null;
        }

        Claim label = Parties.Label(context, semaphore.Id);
        Claim taken = entries.Most == 1 ? "whose one entry is taken" : $"all {entries.Most} entries of which are taken";
        WaitFacts[] open = [.. waits.Where(wait => !wait.Timeout.HasValue)];
        Claim counted = semaphore.WaiterCount.TryGet(out uint count) ? $" and counts {count} that wait" : Claim.Empty;
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.ExhaustedSemaphore,
            Title = $"{waits.Length} threads wait {(open.Length == 0 ? "without end " : string.Empty)}for {label}, {taken}; nothing records by whom",
            Culprit = Parties.OfLock(context, semaphore.Id) with { Role = taken },
            Victims = [.. waits.Select(wait => Parties.OfThread(context, wait.Thread))],
            Evidence =
            [
                new Evidence($"{label} has 0 of {entries.Most} entries left{counted}", "semaphore", known.Trust) { Address = semaphore.Id.Address },
                .. waits.Select(wait => new Evidence($"{Parties.Label(context, wait.Thread)} waits for it{(wait.Timeout.HasValue ? ", without a timeout" : string.Empty)}", wait.Source, wait.Trust)
                {
                    Thread = wait.Thread,
                }),
            ],
            Gaps = [semaphore.Owner.Gap!, .. open.Select(wait => wait.Timeout.Gap!).Distinct()],
            Advice =
            [
                "Look for a Wait or WaitAsync without its Release: an exception or a return in between, a Release that is not in a finally block.",
                "Take a second capture some seconds later: if another thread does release it, it shows other waiters.",
            ],
            Signature = Signature.Of(Info, [Waiters.StackOf(context, waits[0].Thread)]),
        };
    }
}
