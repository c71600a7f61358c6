using System.Threading.RateLimiting;

namespace Truth.Healthy;

/// <summary>All permits of a limiter are given out, to async methods that work for a while and give them back.</summary>
internal static class PermitsInTurn
{
    private static readonly ConcurrencyLimiter s_desks = new(new ConcurrencyLimiterOptions { PermitLimit = 2, QueueLimit = 100 });
    private static int s_served;

    public static async Task RunAsync()
    {
        Ready.When(() => s_desks.GetStatistics()?.CurrentQueuedCount == 4);
        await Task.WhenAll(Enumerable.Range(1, 6).Select(ServeAsync));
    }

    private static async Task ServeAsync(int guest)
    {
        using RateLimitLease permit = await s_desks.AcquireAsync();
        await Task.Delay(TimeSpan.FromHours(1));
        s_served += guest;
    }
}
