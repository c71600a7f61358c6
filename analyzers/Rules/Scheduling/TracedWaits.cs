using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Scheduling;

/// <summary>The waits of a trace in which the capture fell.</summary>
internal static class TracedWaits
{
    /// <summary>
    /// What the trace says of those of the threads whose longest wait is at least so long and holds the capture's moment; where that moment
    /// is unknown, or the trace is judged alone, of all whose wait is so long.
    /// </summary>
    public static IEnumerable<TraceThread> Around(RuleContext context, IEnumerable<ThreadAssessment> threads, TimeSpan atLeast)
        => context.Traced.Of(threads)
            .Where(thread => thread.LongestWait is { } wait && wait.Length >= atLeast
                && (context.Case.IsTraceAlone || Holds(wait, context.Trace!.Join.Moment)));

    private static bool Holds(TraceWait wait, Known<TimeSpan> moment)
        => !moment.TryGet(out TimeSpan at) || (at >= wait.From && at <= wait.From + wait.Length);
}
