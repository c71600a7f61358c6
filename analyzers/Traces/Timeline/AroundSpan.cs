using HangTriage.Facts;

namespace HangTriage.Traces.Timeline;

/// <summary>The time around the moment that was asked for, in steps of 100 ns, and what threads do in it.</summary>
/// <param name="moment">The moment, from the window's start.</param>
internal sealed class AroundSpan(long moment)
{
    private static readonly string[] s_suspensions = ["Suspended", "WrSuspended"];

    public long From { get; } = moment - Thresholds.AroundCapture.Ticks;

    public long To { get; } = moment + Thresholds.AroundCapture.Ticks;

    /// <summary>Adds the part of a thread's state that lies within.</summary>
    /// <param name="line">The thread, before it enters its next state.</param>
    /// <param name="now">When it does.</param>
    public void Add(ThreadLine line, long now)
    {
        long from = Math.Max(line.Since, From);
        long length = Math.Min(now, To) - from;
        if (length <= 0)
        {
            return;
        }

        AroundCount count = line.Around ??= new AroundCount();
        if (line.State == TraceThreadState.Running)
        {
            count.Running += length;
            count.Switches += line.Since >= From ? 1 : 0;
        }
        else if (line.State == TraceThreadState.Waiting && !s_suspensions.Contains(line.Reason))
        {
            count.LongestWait = Math.Max(count.LongestWait, length);
        }
    }
}
