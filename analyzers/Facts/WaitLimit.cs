namespace HangTriage.Facts;

/// <summary>What the time limit of a wait means to those who wait.</summary>
public static class WaitLimit
{
    /// <summary>There is none, or one so long that the wait is as good as without end.</summary>
    /// <param name="limit">The limit; <see cref="Timeout.InfiniteTimeSpan"/> for none.</param>
    public static bool IsEndless(TimeSpan limit) => limit == Timeout.InfiniteTimeSpan || limit > Thresholds.LongestLimit;

    /// <summary>The wait gives up by itself, and soon enough that somebody may wait for that.</summary>
    public static bool Ends(TimeSpan limit) => !IsEndless(limit);

    /// <summary>
    /// The same where it is known who is waited for: whether that one comes is read, so that a limit which outlasts the patience of
    /// people excuses nothing.
    /// </summary>
    public static bool EndsBeforeOwner(TimeSpan limit) => limit != Timeout.InfiniteTimeSpan && limit <= Thresholds.LongestLimitOfLock;
}
