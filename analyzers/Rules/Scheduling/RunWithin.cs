using HangTriage.Facts;

namespace HangTriage.Rules.Scheduling;

/// <summary>For how long a thread ran in a part of the trace.</summary>
internal static class RunWithin
{
    /// <summary>At least so long: the trace has the sum over the window, and the longest pieces.</summary>
    public static TimeSpan AtLeast(TraceThread thread, TimeSpan from, TimeSpan length)
    {
        if (!thread.Times.TryGet(out TraceTimes? times))
        {
            return TimeSpan.Zero;
        }

        // What does not fit into the rest of the window lies within.
        TimeSpan least = times.Running - (thread.To - thread.From - length);
        TimeSpan pieces = thread.Timeline
            .Where(piece => piece.State == TraceThreadState.Running)
            .Select(piece => Min(piece.From + piece.Length, from + length) - Max(piece.From, from))
            .Where(inside => inside > TimeSpan.Zero)
            .Aggregate(TimeSpan.Zero, (sum, inside) => sum + inside);
        return Max(Max(least, pieces), TimeSpan.Zero);
    }

    private static TimeSpan Min(TimeSpan one, TimeSpan other) => one < other ? one : other;

    private static TimeSpan Max(TimeSpan one, TimeSpan other) => one > other ? one : other;
}
