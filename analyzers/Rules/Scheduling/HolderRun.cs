using HangTriage.Facts;

namespace HangTriage.Rules.Scheduling;

/// <summary>A thread that ran while others waited, and that readied them.</summary>
/// <param name="Holder">That thread.</param>
/// <param name="Waiters">The others, the longest wait first.</param>
/// <param name="Running">For how long at least it ran within the longest wait.</param>
/// <param name="Place">Where nearly all of its samples are; null where they are spread, or there are none.</param>
/// <param name="Yields">How often it gave its processor away; 0 where that was seldom.</param>
internal sealed record HolderRun(TraceThread Holder, IReadOnlyList<TraceThread> Waiters, TimeSpan Running, TracePlace? Place, long Yields)
{
    private const string YieldReason = "WrYieldExecution";

    public TraceWait Longest => Waiters[0].LongestWait!;

    /// <summary>Null where the trace does not show that it ran nearly all the time.</summary>
    /// <param name="holder">Null where the trace has no such thread.</param>
    /// <param name="waiters">Threads whose longest wait it ended.</param>
    public static HolderRun? Of(TraceThread? holder, IReadOnlyList<TraceThread> waiters)
    {
        if (holder is null || !holder.Times.HasValue)
        {
            return null;
        }

        TraceThread[] longestFirst = [.. waiters.OrderByDescending(waiter => waiter.LongestWait!.Length).ThenBy(waiter => waiter.OsId)];
        TraceWait longest = longestFirst[0].LongestWait!;
        TimeSpan wait = longest.Length;
        TimeSpan least = RunWithin.AtLeast(holder, longest.From, wait);
        long yields = holder.WaitReasons.Where(reason => reason.Name == YieldReason).Sum(reason => reason.Count);
        return least < wait * Thresholds.RanAllTheWhile ? null
            : new HolderRun(holder, longestFirst, least, TracePlace.Of(holder), yields >= Thresholds.TurnsAroundCapture ? yields : 0);
    }
}
