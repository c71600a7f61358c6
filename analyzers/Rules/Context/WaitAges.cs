using HangTriage.Facts;
using HangTriage.Facts.Time;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Context;

/// <summary>How old what was seen is, by the times that the target itself notes.</summary>
internal static class WaitAges
{
    private const Pattern OfPool = Pattern.PoolStarved | Pattern.PoolBlocked;

    /// <summary>The age of the oldest wait of those that were seen; null where nothing tells.</summary>
    public static Age? Of(RuleContext context, Observation seen)
        => Oldest(AgesOf(context, seen).Concat((seen.Pattern & OfPool) != 0 ? OfThePool(context) : []));

    /// <summary>What the age says to the policy.</summary>
    public static Sign SignsOf(RuleContext context, Observation seen, Age? since)
        => (IsLong(since) ? Sign.WaitsLong : Sign.None)
            | (PartiesOf(seen).Any(party => IsLong(StarvationOf(context, party))) ? Sign.Starves : Sign.None);

    /// <summary>The same of an account of which no rule has seen the pattern.</summary>
    public static Age? Of(RuleContext context, Account account) => Oldest(AgesOf(context, account));

    /// <summary>The age of the thread's own wait; null where nothing tells, and where it waits for several things.</summary>
    public static Age? Of(RuleContext context, ThreadId thread)
        => context.WaitsOf(thread) is not [var wait] ? null
            // Of a single waiter, since when nobody has got the lock is since when it waits.
            : wait.Since ?? (wait.Kind == WaitKind.Acquire && context.Find(wait.Lock) is { } held
                && held.WaiterCount.Is(count => count == 1)
                ? held.Starvation
                : null);

    private static IEnumerable<Age?> AgesOf(RuleContext context, Account account)
        => PartiesOf(account).SelectMany(party => new[]
        {
            StarvationOf(context, party),
            party.Thread is { } thread ? Of(context, thread) : null,
            party.Task is { } task ? OfFlow(context, task) : null,
        });

    private static IEnumerable<Party> PartiesOf(Account account)
        =>
        [
            .. account.Chain.SelectMany(link => new[] { link.From, link.To }),
            .. account.Victims,
            .. account.Culprit is { } culprit ? [culprit] : Array.Empty<Party>(),
        ];

    private static Age? OfFlow(RuleContext context, Address flow)
        => context.Flows.Of(flow)?.Since;

    private static Age? StarvationOf(RuleContext context, Party party) => party.Lock is { } id ? context.Find(id)?.Starvation : null;

    private static bool IsLong(Age? age) => age?.AtLeast >= Thresholds.LongWait;

    private static IEnumerable<Age?> OfThePool(RuleContext context)
        => context.Pool is { } pool && pool.Queued.Is(queued => queued.Total() > 0)
            ? [pool.LastTaken, pool.Overdue?.Longest]
            : [];

    private static Age? Oldest(IEnumerable<Age?> ages)
        => ages.OfType<Age>().Where(age => age.AtLeast > TimeSpan.Zero).MaxBy(age => age.AtLeast);
}
