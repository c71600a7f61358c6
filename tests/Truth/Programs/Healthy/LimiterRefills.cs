using System.Threading.RateLimiting;

namespace Truth.Healthy;

/// <summary>Calls wait in the queue of a limiter that gives two permits every few seconds, by a timer of its own.</summary>
internal static class LimiterRefills
{
    private const int Callers = 12;

    public static async Task RunAsync()
    {
        await using TokenBucketRateLimiter limiter = new(new TokenBucketRateLimiterOptions
        {
            TokenLimit = 2,
            TokensPerPeriod = 2,
            ReplenishmentPeriod = TimeSpan.FromSeconds(4),
            QueueLimit = Callers,
            AutoReplenishment = true,
        });
        Task[] callers = [.. Enumerable.Range(0, Callers).Select(_ => CallForEverAsync(limiter))];
        Ready.When(() => limiter.GetStatistics()?.CurrentQueuedCount > Callers / 2);
        await Task.WhenAll(callers);
    }

    private static async Task CallForEverAsync(System.Threading.RateLimiting.RateLimiter limiter)
    {
        while (true)
        {
            using RateLimitLease lease = await limiter.AcquireAsync();
        }
    }
}
