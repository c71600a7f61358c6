using HangTriage.Facts;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

/// <summary>How a thread has come to rest, and what that means for a lock that it holds.</summary>
/// <param name="Kind">
/// Orphaned where nobody is left to give the lock back, BlockedOnExternal where somebody else has to act first, SlowWait where
/// it takes long.
/// </param>
/// <param name="Does">As "sleeps for ever".</param>
/// <param name="Confidence">How sure it is that the lock does not come back by itself.</param>
/// <param name="Reason">Why it is that sure and no surer.</param>
/// <param name="Source">Where it shows.</param>
/// <param name="Trust">How that is known.</param>
/// <param name="Advice">What to do.</param>
internal sealed record Rest(
    VerdictKind Kind, string Does, Confidence Confidence, string Reason, string Source, Trust Trust, IReadOnlyList<string> Advice)
{
    // After as long without an answer Windows itself calls a window's thread hung.
    private static readonly TimeSpan s_longSleep = TimeSpan.FromSeconds(5);

    private const string Forgotten = "Look for a way out of the code that takes the lock on which it is not given back (a return, an exception); a guard object or __finally closes all of them.";

    /// <summary>Null for a thread that gets on by itself, or of which that cannot be told.</summary>
    public static Rest? Of(RuleContext context, ThreadAssessment thread)
    {
        bool lasts = ThreadProgress.Of(thread.Thread, context.Earlier) is { HasMovedOn: false };
        return thread.State switch
        {
            ThreadActivity.Sleeping when SleepOf(thread.Thread) is var sleep && sleep.Is(span => span == Timeout.InfiniteTimeSpan) => new Rest(
                VerdictKind.Orphaned,
                "sleeps for ever",
                Confidence.Likely,
                "its sleep has no end; only a call that is queued to the thread could still run",
                "argument of the system call",
                sleep.Trust,
                ["Do not sleep under a lock; a thread that has nothing more to do gives its locks back and ends."]),
            ThreadActivity.Sleeping when SleepOf(thread.Thread) is var sleep && sleep.Is(span => span >= s_longSleep) => new Rest(
                VerdictKind.SlowWait,
                $"sleeps for {SpinText.Duration(sleep.Value)}",
                Confidence.Likely,
                "the length of the sleep was read; how much of it is over is not in a capture",
                "argument of the system call",
                sleep.Trust,
                ["Give the lock back before the sleep."]),
            ThreadActivity.IdlePoolWorker => new Rest(
                VerdictKind.Orphaned,
                "has gone back to its pool",
                Confidence.Likely,
                "a pool's worker at rest is in no work item any more, and the next one that it gets need not know of the lock",
                "stack",
                thread.Trust,
                [Forgotten]),
            ThreadActivity.Suspended => new Rest(
                VerdictKind.BlockedOnExternal,
                "is suspended",
                lasts ? Confidence.Likely : Confidence.Possible,
                lasts ? "it was there in the earlier capture too" : "debuggers, profilers and garbage collectors suspend threads for a moment; one capture cannot show for how long",
                "suspend count",
                thread.Trust,
                ["Find out who suspended the thread, and let nobody suspend threads that can hold locks."]),
            ThreadActivity.WaitsForMessage => new Rest(
                VerdictKind.BlockedOnExternal,
                "waits for a message",
                lasts ? Confidence.Likely : Confidence.Possible,
                lasts ? "it was there in the earlier capture too" : "the next message may let it go on; one capture cannot show for how long it has waited",
                "stack",
                thread.Trust,
                ["Hold no lock while a dialog is open or messages are dispatched.", Forgotten]),
            ThreadActivity.WaitsForIo when lasts => new Rest(
                VerdictKind.BlockedOnExternal,
                "waits for input or output",
                Confidence.Likely,
                "it was in the same call in the earlier capture and has not worked since",
                "stack",
                thread.Trust,
                ["Find out what is at the other end of the file, pipe, socket or device.", "Hold no lock during input and output that can take long."]),
            _ => null,
        };
    }

    /// <summary>The thread is known not to sleep for ever.</summary>
    public static bool SleepEnds(ThreadFacts thread)
        => Timeouts.InCallOf(thread) == true || SleepOf(thread).Is(span => span != Timeout.InfiniteTimeSpan);

    private static Known<TimeSpan> SleepOf(ThreadFacts thread)
        => thread.SystemCall is { } call && call.TryGet(out SystemCallFacts? facts) && facts.Delay is { } delay ? delay
            : Timeouts.InCallOf(thread) == false ? Known.Derived(Timeout.InfiniteTimeSpan)
            : Known.Unknown<TimeSpan>("length of the sleep", "it is not in the input");
}
