using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Locks;

/// <summary>
/// A load of the parallel loader that nobody works off any more. Between two owners a load is nobody's for a moment, so
/// one of those who wait has to be seen to have waited for long.
/// </summary>
internal static class AbandonedLoad
{
    public static Observation? Find(RuleContext context, RuleInfo rule)
    {
        if (context.Locks.FirstOrDefault(@lock => @lock.Id.Kind == LockKind.LoadInProgress) is not { OwnerHasEnded: true } load || !IsLockSeen(context))
        {
            return null;
        }

        WaitEdge[] waits = [.. context.Graph.To(WaitNode.Of(load.Id))];
        Evidence[] lasting = [.. waits.Select(wait => WaitsForLong(context, wait)).OfType<Evidence>()];
        return lasting.Length == 0 ? null : Describe(context, rule, load, waits, lasting);
    }

    // Who holds the loader lock works off the load, marked or not.
    private static bool IsLockSeen(RuleContext context)
        => context.Snapshot.Windows is { } windows
            && windows.LoaderLock.TryGet(out LockFacts? loaderLock)
            && loaderLock.IsHeld.TryGet(out bool isHeld)
            && (!isHeld || loaderLock.Owner.HasValue);

    private static Observation Describe(RuleContext context, RuleInfo rule, LockFacts load, WaitEdge[] waits, Evidence[] proof)
    {
        IReadOnlyList<WaitNode> waiters = context.Graph.ThreadsBehind(WaitNode.Of(load.Id));
        return new Observation
        {
            Rule = rule,
            Pattern = Pattern.AbandonedLoad,
            Links = waits.All(wait => wait.Trust == Trust.Scanned) ? LinkTrust.Guessed : LinkTrust.Concluded,
            Title = $"{Count.Waiting(waiters.Count)} for the loader, whose load owner has ended",
            Culprit = Parties.OfLock(context, load.Id) with { Role = "belongs to none of the process's threads" },
            Chain = [Parties.Link(context, waits[0])],
            Victims = Waiters.PartiesOf(context, waiters),
            Evidence =
            [
                new Evidence($"none of the process's {context.Threads.Count} threads is marked as the load owner", "TEB.SameTebFlags", load.IsHeld.Trust),
                .. proof,
                .. Waiters.Evidence(context, waits),
            ],
            Advice =
            [
                "Find out which thread was ended inside LoadLibrary, FreeLibrary or at its start or exit: TerminateThread is the usual way.",
                "Never end a thread from outside.",
            ],
            Signature = Signature.Of(rule, [Waiters.StackOf(context, waits[0].From.Thread)]),
        };
    }

    private static Evidence? WaitsForLong(RuleContext context, WaitEdge wait)
    {
        if (wait.From.Thread is not { } id || context.Find(id) is not { Thread: var thread })
        {
            return null;
        }

        Claim label = Parties.Label(context, id);
        if (context.Timeline.Of(thread) is { IsSamePlace: true, HasMovedOn: false } history)
        {
            return new Evidence($"{label} waited at the same place {EarlierText.At(history)}", "earlier capture", Trust.Derived) { Thread = id };
        }

        return thread.Stack.Frames.Any(frame => NativeCalls.IsNtdll(frame) && frame.Method == LoaderCalls.ThreadStart)
            && CpuShare.LifeOf(thread, context.Snapshot.Target).TryGet(out TimeSpan life) && life >= Thresholds.LongThreadStart
                ? new Evidence($"{label} was started {Durations.Of(life)} before the capture and is still at its start", "thread times", Trust.Derived) { Thread = id }
                : null;
    }
}
