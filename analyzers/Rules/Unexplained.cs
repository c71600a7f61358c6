using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>
/// Threads that wait for a lock whose owner does not seem to make progress either, for a reason that no rule knows. They are
/// no verdict, and they forbid the verdict that all is well.
/// </summary>
internal static class Unexplained
{
    /// <summary>Those waits, the longest chain first.</summary>
    public static IReadOnlyList<UnexplainedWait> Waits(RuleContext context, IReadOnlyList<Finding> findings)
    {
        HashSet<ThreadId> explained =
        [
            .. findings.Where(finding => finding.Kind.IsHang())
                .SelectMany(finding => finding.Victims.Concat(finding.Chain.Select(link => link.From)))
                .Select(party => party.Thread)
                .OfType<ThreadId>(),
        ];

        return
        [
            .. context.Graph.Nodes
                .Where(node => node.Thread is { } thread && !explained.Contains(thread))
                .Select(node => Follow(context, node))
                .OfType<UnexplainedWait>()
                .OrderByDescending(wait => wait.Chain.Count)
                .GroupBy(wait => (wait.Chain[^1].To, wait.Gap.Why))
                .Select(SameEnd),
            .. context.Threads
                .Where(thread => LockEntry.IsOfUnknownLock(context, thread) && !explained.Contains(thread.Thread.OsId))
                .Select(thread => new UnexplainedWait(
                    new Gap(
                        $"what {Parties.Label(context, thread.Thread.OsId)} waits for",
                        $"it is in {Claim.Of(thread.Frame!)}, and which lock that is could not be found"),
                    [],
                    [thread.Thread.OsId])),
            .. context.Threads
                .Where(thread => !explained.Contains(thread.Thread.OsId))
                .Select(thread => AtTypeInitializer(context, thread.Thread))
                .OfType<UnexplainedWait>(),
        ];
    }

    // Whoever waits behind the same end is kept waiting for the same reason.
    private static UnexplainedWait SameEnd(IEnumerable<UnexplainedWait> waits)
    {
        UnexplainedWait[] all = [.. waits];
        return all.Length == 1 ? all[0] : all[0] with
        {
            Gap = all[0].Gap with { What = $"{all[0].Gap.What} and {all.Length - 1} more" },
            Threads = [.. all.SelectMany(wait => wait.Threads)],
        };
    }

    // Null for a thread that waits for no static constructor, and where one that runs such makes progress: it may be the one.
    private static UnexplainedWait? AtTypeInitializer(RuleContext context, ThreadFacts waiter)
    {
        bool isCertain = TypeInitializer.IsAwaitedBy(waiter);
        if ((!isCertain && !TypeInitializer.MayBeAwaitedBy(waiter)) || context.Graph.From(WaitNode.Of(waiter.OsId)).Count > 0)
        {
            return null;
        }

        ThreadFacts[] initializers =
        [
            .. context.Threads.Select(other => other.Thread).Where(other => other.OsId != waiter.OsId && TypeInitializer.RunBy(other) is not null),
        ];
        if ((initializers.Length == 0 && !isCertain) || initializers.Any(other => context.Fates.Of(WaitNode.Of(other.OsId)) == Fate.Progresses))
        {
            return null;
        }

        string what = isCertain ? "it waits for a static constructor" : "it waits in the runtime, apparently for a static constructor";
        return new UnexplainedWait(
            new Gap($"what ends the wait of {Parties.Label(context, waiter.OsId)}", initializers switch
            {
                [] => $"{what}, and no thread is seen to run one",
                [var only] => $"{what}; {Parties.Label(context, only.OsId)}, which runs {TypeInitializer.RunBy(only)!.Method}, is not seen to make progress either",
                _ => $"{what}; of the threads that run one none is seen to make progress",
            }),
            [],
            [waiter.OsId])
        {
            Kind = SuspectKind.Runtime,
        };
    }

    private static SuspectKind KindOf(RuleContext context, WaitNode end) => end switch
    {
        { Task: { } } => SuspectKind.Task,
        { Thread: { } thread } => context.Find(thread)?.State switch
        {
            ThreadActivity.WaitsForIo or ThreadActivity.WaitsForAnswer or ThreadActivity.WaitsForReply => SuspectKind.Outside,
            ThreadActivity.WaitsForObject => SuspectKind.Signal,
            _ => SuspectKind.Lock,
        },
        _ => SuspectKind.Lock,
    };

    private static bool RunsInTrace(RuleContext context, WaitEdge edge)
        => new[] { edge.From.Thread, edge.To.Thread }.OfType<ThreadId>().Any(thread => context.Traced.RunOf(thread) is not null);

    private static UnexplainedWait? Follow(RuleContext context, WaitNode waiter)
    {
        IReadOnlyList<WaitEdge> chain = context.Graph.ChainFrom(waiter);
        if (chain.Count == 0 || chain[0].Alternatives > 1 || chain.Any(edge => RunsInTrace(context, edge)) || chain.Any(edge => edge.EndsByItself && !(edge.From.Thread is { } thread && context.Polls.TriesAgain(thread))))
        {
            return null;
        }

        // A task may take as long as it likes, and so may whoever waits for it; only a lock is meant to be held for a short time.
        if (chain.Any(edge => edge.To.Task is not null) && !chain.Any(edge => edge.To.Lock is not null))
        {
            return null;
        }

        // Whoever waits for the end of a worker waits as long as the worker has nothing to do.
        WaitNode end = chain[^1].To;
        if (chain[0].Kind is EdgeKind.WaitsForChange or EdgeKind.WaitsForRoom && context.Find(waiter.Thread!.Value) is not null && !ImportantThreads.Contain(context, waiter.Thread!.Value))
        {
            return null;
        }

        if (chain.All(edge => edge.Kind is not (EdgeKind.WaitsForChange or EdgeKind.WaitsForRoom)) && chain.All(edge => edge.To.Thread is not null) && context.Find(end.Thread!.Value)?.State is ThreadActivity.WaitsForObject or ThreadActivity.Sleeping)
        {
            return null;
        }

        string? why = (end.Thread, end.Lock) switch
        {
            _ when end.Task is { } task => TaskText.WhyUnknown(context, task) ?? StuckOwner.WhyOnTask(context, task, chain.Last(edge => edge.From.Thread is not null).From),
            ({ }, _) => StuckOwner.Why(context, chain[^1]),
            (_, { Kind: LockKind.LoadInProgress } load) => context.Find(load)?.Owner.Gap?.Why ?? "nobody is recorded as the load owner",
            (_, { Kind: LockKind.LoaderLock }) => "nobody is recorded as the loader's owner",
            (_, { } @lock) when context.Find(@lock) is { Owner.Gap: { } gap, Holders: null } facts
                && facts.IsHeld.Is(held => held) => gap.Why,
            _ => null,
        };
        return why is null ? null : new UnexplainedWait(new Gap($"what ends the wait of {Parties.Label(context, waiter.Thread!.Value)}", why), chain, [waiter.Thread!.Value])
        {
            Kind = KindOf(context, end),
        };
    }
}
