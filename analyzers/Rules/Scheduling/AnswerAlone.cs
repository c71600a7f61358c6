using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Scheduling;

/// <summary>
/// What a trace alone shows of a wait that another process ended. A server that waits for requests looks the same, but for why it waits
/// and for what the other process does meanwhile.
/// </summary>
internal static class AnswerAlone
{
    /// <summary>
    /// Linux writes of a timer or a device that whoever runs on the processor readied the thread: there only two that ready each other are known
    /// to have to do with each other.
    /// </summary>
    public static bool IsKnown(TraceFacts trace, TraceThread waiter)
        => trace.Kind != TraceKind.Perf
            || (waiter.LongestWait is { } wait && wait.By.TryGet(out TraceReadiedBy? by)
                && trace.Threads.Any(thread => thread.OsId == by.Thread && Partners.Has(thread, waiter.OsId)));

    // Somebody was asked, and the kernel waits for the answer: a call through a port; on Linux a wait that no signal breaks off.
    private static readonly HashSet<string> s_asked = new(StringComparer.Ordinal) { "WrLpcReply", "Uninterruptible" };

    public static Sign SignsOf(RuleContext context, ProcessAnswer answer)
        => Sign.TraceAlone
            | (IsAsked(answer.Longest) || RanMeanwhile(context, answer) ? Sign.AnswerAwaited : Sign.None)
            | (IsInFilter(answer.Longest) || HasOthersBehind(context, answer) ? Sign.Depended : Sign.None);

    private static bool IsAsked(TraceWait wait) => wait.Reason.Is(s_asked.Contains);

    // A wait within the kernel whose stack says which layer waits.
    private static bool IsInFilter(TraceWait wait) => wait.Reason.Is(reason => reason is "Executive" or "WrExecutive")
        && wait.Tag is not null;

    private static bool RanMeanwhile(RuleContext context, ProcessAnswer answer)
        => context.Trace!.Facts.Threads.FirstOrDefault(thread => thread.OsId == answer.By.Thread
            && thread.Pid.Is(pid => pid == answer.Pid)) is { } by
            && RunWithin.AtLeast(by, answer.Longest.From, answer.Longest.Length) >= answer.Longest.Length * Thresholds.AnswerWorked;

    // Another thread of the process waited all the while, and the one that waited for the answer ended its wait.
    private static bool HasOthersBehind(RuleContext context, ProcessAnswer answer)
        => context.Threads
            .Select(thread => context.Traced.Of(thread.Thread.OsId)?.LongestWait)
            .Any(wait => wait is { IsOpen: false }
                && wait.By.TryGet(out TraceReadiedBy? by)
                && !by.IsDeferred
                && by.Thread == answer.Waiters[0].OsId
                && wait.From <= answer.Longest.From + Thresholds.ShortWait
                && wait.From + wait.Length >= answer.Longest.From + answer.Longest.Length);
}
