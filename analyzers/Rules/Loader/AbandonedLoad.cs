using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Loader;

/// <summary>
/// A load of the parallel loader that nobody works off any more. Between two owners a load is nobody's for a moment, so
/// one of those who wait has to be seen to have waited for long.
/// </summary>
internal static class AbandonedLoad
{
    // No start of a thread takes this long where the loader goes from hand to hand.
    private static readonly TimeSpan s_longStart = TimeSpan.FromSeconds(10);

    public static Finding? Find(RuleContext context, RuleInfo rule)
    {
        if (context.Locks.FirstOrDefault(@lock => @lock.Id.Kind == LockKind.LoadInProgress) is not { OwnerHasEnded: true } load)
        {
            return null;
        }

        WaitEdge[] waits = [.. context.Graph.To(WaitNode.Of(load.Id))];
        Evidence[] lasting = [.. waits.Select(wait => WaitsForLong(context, wait)).OfType<Evidence>()];
        return lasting.Length == 0 ? null : Describe(context, rule, load, waits, lasting);
    }

    private static Finding Describe(RuleContext context, RuleInfo rule, LockFacts load, WaitEdge[] waits, Evidence[] proof)
    {
        IReadOnlyList<WaitNode> waiters = context.Graph.ThreadsBehind(WaitNode.Of(load.Id));
        bool isGuess = waits.All(wait => wait.Trust == Trust.Scanned);
        string count = string.Create(CultureInfo.InvariantCulture, $"{waiters.Count} thread{(waiters.Count == 1 ? " waits" : "s wait")}");
        return new Finding
        {
            Rule = rule,
            Severity = Severity.Hang,
            Kind = VerdictKind.Orphaned,
            Confidence = isGuess ? Confidence.Possible : Confidence.Likely,
            ConfidenceReason = isGuess
                ? "the waits in the loader are guessed from stack words"
                : "a wait in the loader has lasted for long, and no thread is marked as the load owner; the mark rests on an unverified layout",
            Title = $"{count} for the loader, whose load owner has ended",
            Culprit = Parties.OfLock(context, load.Id) with { Role = "belongs to none of the process's threads" },
            Chain = [Parties.Link(context, waits[0])],
            Victims = [.. waiters.Select(waiter => Parties.Of(context, waiter))],
            Evidence =
            [
                new Evidence(
                    string.Create(CultureInfo.InvariantCulture, $"none of the process's {context.Threads.Count} threads is marked as the load owner"),
                    "TEB.SameTebFlags",
                    load.IsHeld.Trust),
                .. proof,
                .. waits.Select(wait => new Evidence($"{Parties.Of(context, wait.From).Label} waits for it", wait.Source, wait.Trust) { Thread = wait.From.Thread }),
            ],
            Advice =
            [
                "Find out which thread was ended inside LoadLibrary, FreeLibrary or at its start or exit: TerminateThread is the usual way.",
                "Never end a thread from outside.",
            ],
            Signature = Signature.Of(rule, [context.Find(waits[0].From.Thread!.Value)?.Thread.Stack.Frames ?? []]),
        };
    }

    private static Evidence? WaitsForLong(RuleContext context, WaitEdge wait)
    {
        if (wait.From.Thread is not { } id || context.Find(id) is not { Thread: var thread })
        {
            return null;
        }

        string label = Parties.Label(context, id);
        if (ThreadProgress.Of(thread, context.Earlier) is { IsSamePlace: true, HasMovedOn: false } progress)
        {
            return new Evidence($"{label} waited at the same place {SpinText.Duration(progress.Between)} earlier", "earlier capture", Trust.Derived) { Thread = id };
        }

        return thread.Stack.Frames.Any(frame => NativeCalls.IsNtdll(frame) && frame.Method == "LdrInitializeThunk")
            && CpuShare.LifeOf(thread, context.Snapshot.Target).TryGet(out TimeSpan life) && life >= s_longStart
                ? new Evidence($"{label} was started {SpinText.Duration(life)} before the capture and is still at its start", "thread times", Trust.Derived) { Thread = id }
                : null;
    }
}
