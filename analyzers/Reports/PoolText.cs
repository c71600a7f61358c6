using System.Globalization;
using HangTriage.Facts;

namespace HangTriage.Reports;

/// <summary>The thread pool in few words.</summary>
internal static class PoolText
{
    /// <summary>Its workers and its queues; empty where neither is known.</summary>
    public static IReadOnlyList<(string Name, string Value)> Of(ProcessSnapshot snapshot)
        => snapshot.Managed is { } managed && managed.TryGet(out ManagedFacts? facts) && facts.Pool is { } known && known.TryGet(out PoolFacts? pool)
            ? [.. Describe(pool)]
            : [];

    private static IEnumerable<(string, string)> Describe(PoolFacts pool)
    {
        if (pool.Workers.TryGet(out PoolWorkers? workers))
        {
            yield return ("Workers", string.Create(CultureInfo.InvariantCulture, $"{workers.Existing}, {workers.Processing} of them with a work item (minimum {workers.Least}, maximum {workers.Most}, the pool wants {workers.Goal})"));
        }

        if (pool.Queued.TryGet(out PoolQueues? queues))
        {
            yield return ("Queued work items", queues.Total() == 0 ? "0" : string.Create(CultureInfo.InvariantCulture, $"{queues.Total()} ({queues.Common} common, {queues.HighPriority} of high priority, {queues.LowPriority} of low, {queues.Local} local)"));
        }

        if (AgeText.Since(pool.LastTaken) is { } taken)
        {
            yield return ("Last item taken", taken);
        }

        if (pool.Overdue is { Count: > 0, Longest: { } longest } overdue)
        {
            yield return (
                "Overdue timers",
                string.Create(CultureInfo.InvariantCulture, $"{overdue.Count}, the first of them for {AgeText.Since(longest)}"));
        }
    }
}
