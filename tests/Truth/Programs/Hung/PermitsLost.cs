using System.Threading.RateLimiting;

namespace Truth.Hung;

/// <summary>A limiter admits two look-ups at once. Those that find nothing return without giving their permit back.</summary>
internal static class PermitsLost
{
    private static readonly ConcurrencyLimiter s_licence = new(new ConcurrencyLimiterOptions { PermitLimit = 2, QueueLimit = 100 });
    private static int s_unknown;

    public static async Task RunAsync()
    {
        Ready.When(() => s_unknown == 2 && s_licence.GetStatistics()?.CurrentQueuedCount == 4);
        await Task.WhenAll(Enumerable.Range(1, 30).Select(FindAsync));
    }

    private static async Task<string?> FindAsync(int address)
    {
        RateLimitLease permit = await s_licence.AcquireAsync();
        await Task.Delay(10);
        if (address % 13 == 0)
        {
            Interlocked.Increment(ref s_unknown);
            return null;
        }

        string found = $"place {address}";
        permit.Dispose();
        return found;
    }
}
