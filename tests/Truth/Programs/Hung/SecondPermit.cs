using System.Threading.RateLimiting;

namespace Truth.Hung;

/// <summary>Three reports have the three permits of a limiter, and each needs another one for its chart. A timer ticks.</summary>
internal static class SecondPermit
{
    private static readonly ConcurrencyLimiter s_engine = new(new ConcurrencyLimiterOptions { PermitLimit = 3, QueueLimit = 100 });

    public static async Task RunAsync()
    {
        Ready.When(() => s_engine.GetStatistics()?.CurrentQueuedCount == 3);
        await Task.WhenAll([CountAsync(), .. Enumerable.Range(0, 3).Select(ReportAsync)]);
    }

    private static async Task CountAsync()
    {
        using PeriodicTimer clock = new(TimeSpan.FromSeconds(1));
        while (await clock.WaitForNextTickAsync())
        {
            _ = s_engine.GetStatistics();
        }
    }

    private static async Task ReportAsync(int month)
    {
        using RateLimitLease permit = await s_engine.AcquireAsync();
        await Task.Delay(50);
        await ChartAsync(month);
    }

    private static async Task ChartAsync(int month)
    {
        using RateLimitLease permit = await s_engine.AcquireAsync();
        await Task.Delay(month);
    }
}
