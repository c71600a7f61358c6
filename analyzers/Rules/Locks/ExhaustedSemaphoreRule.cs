using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Rules.Locks;

/// <summary>
/// Several threads wait without end for a bounded SemaphoreSlim of which every entry is taken. Who has the entries is
/// recorded nowhere, so it is no verdict, and not healthy either.
/// </summary>
public sealed class ExhaustedSemaphoreRule : IRule
{
    // One thread that waits for a semaphore is what an idle worker does.
    private const int FewestWaiters = 2;

    public RuleInfo Info { get; } = new(
        "HT1004", "exhausted semaphore", "Several threads wait without end for a bounded SemaphoreSlim of which every entry is taken.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (ManagedSection.WithLocks(context.Snapshot, out RuleOutcome outcome) is not { } managed)
        {
            return outcome;
        }

        ILookup<LockId, WaitFacts> waits = managed.Waits.Value
            .Where(wait => wait.Timeout.Is(timeout => timeout == Timeout.InfiniteTimeSpan))
            .ToLookup(wait => wait.Lock);
        Finding[] findings =
        [
            .. context.Locks
                .Where(@lock => @lock.Id.Kind == LockKind.SemaphoreSlim && waits[@lock.Id].Count() >= FewestWaiters)
                .Select(@lock => Describe(context, @lock, [.. waits[@lock.Id]]))
                .OfType<Finding>(),
        ];
        return findings.Length > 0 ? RuleOutcome.Found(findings) : outcome;
    }

    private Finding? Describe(RuleContext context, LockFacts semaphore, WaitFacts[] waits)
    {
        if (semaphore.Entries is not { } known || !known.TryGet(out SemaphoreEntries? entries) || entries.Left > 0 || !entries.IsBounded())
        {
            return null;
        }

        string label = Parties.Label(context, semaphore.Id);
        string taken = entries.Most == 1
            ? "whose one entry is taken"
            : string.Create(CultureInfo.InvariantCulture, $"all {entries.Most} entries of which are taken");
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Warning,
            Kind = VerdictKind.Inconclusive,
            Confidence = Confidence.Possible,
            ConfidenceReason = "the waiters and the counts were read; who has the entries is recorded nowhere, and any thread can release them",
            Title = string.Create(CultureInfo.InvariantCulture, $"{waits.Length} threads wait without end for {label}, {taken}; nothing records by whom"),
            Culprit = Parties.OfLock(context, semaphore.Id) with { Role = taken },
            Victims = [.. waits.Select(wait => Parties.OfThread(context, wait.Thread))],
            Evidence =
            [
                new Evidence(
                    string.Create(CultureInfo.InvariantCulture, $"{label} has 0 of {entries.Most} entries left") + Counted(semaphore), "semaphore", known.Trust)
                {
                    Address = semaphore.Id.Address,
                },
                .. waits.Select(wait => new Evidence($"{Parties.Label(context, wait.Thread)} waits for it, without a time-out", wait.Source, wait.Trust)
                {
                    Thread = wait.Thread,
                }),
            ],
            Gaps = [semaphore.Owner.Gap!],
            Advice =
            [
                "Look for a Wait or WaitAsync without its Release: an exception or a return in between, a Release that is not in a finally block.",
                "If another thread does release it, a second capture some seconds later shows other waiters.",
            ],
            Signature = Signature.Of(Info, [context.Find(waits[0].Thread)?.Thread.Stack.Frames ?? []]),
        };
    }

    private static string Counted(LockFacts semaphore)
        => semaphore.WaiterCount.TryGet(out uint count) ? string.Create(CultureInfo.InvariantCulture, $" and counts {count} that wait") : string.Empty;
}
