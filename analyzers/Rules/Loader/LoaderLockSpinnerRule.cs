using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Loader;

/// <summary>A thread holds the loader lock and loops, waiting, while others cannot load or unload a library, start or exit.</summary>
public sealed class LoaderLockSpinnerRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT3001", "loader lock held by a spinner", "A thread that holds the loader lock spins while others wait for the loader.")
    {
        Patterns = Pattern.LoaderOwnerSpins,
        Needs = Need.Windows | Need.Threads | Need.LoaderLock,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        Observation[] found =
        [
            .. LoaderLocks.HeldIn(context)
                .GroupBy(held => held.Owner.Value)
                .Select(group => Describe(context, group.Key, [.. group]))
                .OfType<Observation>(),
        ];
        return found.Length > 0 || context.Snapshot.Windows?.LoaderLock.TryGet(out LockFacts? loaderLock) != true
            ? RuleOutcome.Of(found)
            : RuleOutcome.Of([], WhatIsUnknown(context, loaderLock!) is { } gap ? [gap] : []);
    }

    private Observation? Describe(RuleContext context, ThreadId ownerId, LockFacts[] held)
    {
        if (context.Find(ownerId) is not { } owner)
        {
            return null;
        }

        HashSet<ThreadId> behind = [.. held.SelectMany(@lock => context.Graph.ThreadsBehind(WaitNode.Of(@lock.Id))).Select(node => node.Thread!.Value)];
        LoaderWait[] victims =
        [
            .. context.Threads
                .Where(thread => thread.State == ThreadActivity.WaitsForLoader && thread.Thread.OsId != ownerId && behind.Contains(thread.Thread.OsId))
                .Select(thread => LoaderWait.Of(thread.Thread)!),
        ];
        SpinSignals signals = context.SpinOf(owner);
        return victims.Length == 0 || signals.LoopsWaiting != true || signals.Spins == false
            ? null
            : new LoaderSpin(context, Info, held, signals, victims).Describe();
    }

    /// <summary>What of the loader lock is not known and can hide the pattern.</summary>
    private static Gap? WhatIsUnknown(RuleContext context, LockFacts loaderLock)
    {
        if (!loaderLock.IsHeld.TryGet(out bool isHeld))
        {
            return loaderLock.IsHeld.Gap! with { What = "state of the loader lock" };
        }

        if (!isHeld)
        {
            return null;
        }

        if (!loaderLock.Owner.TryGet(out ThreadId owner))
        {
            return loaderLock.Owner.Gap! with { What = "owner of the loader lock" };
        }

        bool isWaitedFor = context.Threads.Any(thread => thread.State == ThreadActivity.WaitsForLoader && thread.Thread.OsId != owner);
        int unknown = context.Threads.Count(thread => thread.Thread.OsId != owner && (thread.State == ThreadActivity.Unknown || IsFlagUnknown(thread.Thread)));
        return isWaitedFor || unknown == 0
            ? null
            : new Gap("who waits for the loader, which is held", $"what {unknown} of the threads do is unknown");
    }

    private static bool IsFlagUnknown(ThreadFacts thread) => thread.Teb is { } teb && (teb.Gap ?? teb.Value.WaitingOnLoaderLock.Gap) is not null;
}
