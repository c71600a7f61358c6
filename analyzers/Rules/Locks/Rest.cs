using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Locks;

/// <summary>How a thread is idle while it holds a lock.</summary>
/// <param name="Pattern">The pattern that it makes.</param>
/// <param name="Does">As "sleeps forever".</param>
/// <param name="Source">Where it shows.</param>
/// <param name="Trust">How that is known.</param>
/// <param name="Advice">What to do.</param>
internal sealed record Rest(Pattern Pattern, string Does, string Source, Trust Trust, IReadOnlyList<Claim> Advice)
{
    private const string Forgotten = "Look for a way out of the code that takes the lock on which it is not released (a return, an exception); a guard object or __finally closes all of them.";

    /// <summary>Null for a thread that makes progress by itself, or of which that is unknown.</summary>
    public static Rest? Of(RuleContext context, ThreadAssessment thread) => thread.State switch
    {
        ThreadActivity.Sleeping => OfSleep(thread),
        ThreadActivity.IdlePoolWorker => new Rest(Pattern.OwnerBackInPool, "has returned to its pool", "stack", thread.Trust, [Forgotten]),
        ThreadActivity.WaitsForObject when IsBackInLoop(context, thread) => new Rest(
            Pattern.OwnerBackInLoop,
            "waits for its next item, in code that takes no lock and gives none back",
            "stack and instructions of the program",
            Trust.Derived,
            [Forgotten]),
        ThreadActivity.Suspended => new Rest(
            Pattern.OwnerSuspended,
            "is suspended",
            "suspend count",
            thread.Trust,
            ["Find out who suspended the thread, and let nobody suspend threads that can hold locks."]),
        ThreadActivity.WaitsForMessage => new Rest(
            Pattern.OwnerWaitsForMessage,
            "waits for a message",
            "stack",
            thread.Trust,
            ["Hold no lock while a dialog is open or messages are dispatched.", Forgotten]),
        // HT8001 knows more of the others.
        ThreadActivity.WaitsForIo when OutsideCall.In(thread.Thread.Stack.Frames) is null && context.Timeline.Of(thread.Thread) is { HasMovedOn: false } => new Rest(
            Pattern.OwnerWaitsForIo,
            "waits for input or output",
            "stack",
            thread.Trust,
            ["Find out what is at the other end of the file, pipe, socket or device.", "Hold no lock during input and output that can take long."]),
        _ => null,
    };

    private static bool IsBackInLoop(RuleContext context, ThreadAssessment thread)
        => IdleWait.IsForWork(thread)
            && context.Managed?.LockFree is { } known && known.TryGet(out IReadOnlyList<ThreadId>? free)
            && free.Contains(thread.Thread.OsId);

    private static Rest? OfSleep(ThreadAssessment thread)
        => Timeouts.InCallOf(thread.Thread) == false
                ? new Rest(
                    Pattern.OwnerSleepsForEver,
                    "sleeps forever",
                    "argument of the system call",
                    Timeouts.SleepOf(thread.Thread)?.Trust ?? Trust.Derived,
                    ["Do not sleep under a lock; a thread that has nothing more to do releases its locks and ends."])
            : Timeouts.SleepOf(thread.Thread) is { } sleep && sleep.Is(span => span >= Thresholds.LongSleep)
                ? new Rest(
                    Pattern.OwnerSleepsLong,
                    $"sleeps for {Durations.Of(sleep.Value)}",
                    "argument of the system call",
                    sleep.Trust,
                    ["Release the lock before the sleep."])
            : null;
}
