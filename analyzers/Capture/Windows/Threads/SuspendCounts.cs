namespace HangTriage.Capture.Windows.Threads;

/// <summary>
/// Tells threads that somebody has suspended from those that only the writer of the dump has: it stops every thread, and some
/// writers count that. So a count says nothing by itself, and one above what most threads have does.
/// </summary>
internal static class SuspendCounts
{
    /// <summary>The count that most threads have, the higher one of two that are as frequent; null where the source does not count.</summary>
    public static uint? Usual(IReadOnlyList<WindowsThread> threads)
        => threads
            .Where(thread => thread.SuspendCount is not null)
            .GroupBy(thread => thread.SuspendCount)
            .OrderByDescending(group => group.Count())
            .ThenByDescending(group => group.Key)
            .FirstOrDefault()?.Key;
}
