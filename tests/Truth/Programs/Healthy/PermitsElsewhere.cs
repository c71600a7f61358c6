using System.Collections.Concurrent;
using System.Threading.RateLimiting;

namespace Truth.Healthy;

/// <summary>
/// The permits of a limiter are with a thread that sleeps, with what a pause continues with, and in a table that a timer sweeps. Each comes
/// back in time, and two async methods wait for one.
/// </summary>
internal static class PermitsElsewhere
{
    private static readonly ConcurrencyLimiter s_bays = new(new ConcurrencyLimiterOptions { PermitLimit = 3, QueueLimit = 100 });
    private static readonly ConcurrentDictionary<string, RateLimitLease> s_parked = new();
    private static readonly TimeSpan s_stay = TimeSpan.FromHours(1);

    public static async Task RunAsync()
    {
        new Thread(Unload) { Name = "unload" }.Start();
        RateLimitLease paused = await s_bays.AcquireAsync();
        _ = Task.Delay(s_stay).ContinueWith(_ => paused.Dispose(), TaskScheduler.Default);
        s_parked["trailer 7"] = await s_bays.AcquireAsync();
        await using Timer sweep = new(Sweep, null, s_stay, s_stay);
        Ready.When(() => s_bays.GetStatistics()?.CurrentQueuedCount == 2);
        await Task.WhenAll(DockAsync(), DockAsync());
    }

    private static void Unload()
    {
        using RateLimitLease bay = s_bays.AttemptAcquire();
        Thread.Sleep(s_stay);
    }

    private static void Sweep(object? state)
    {
        foreach ((string trailer, RateLimitLease bay) in s_parked)
        {
            s_parked.TryRemove(trailer, out _);
            bay.Dispose();
        }
    }

    private static async Task DockAsync()
    {
        using RateLimitLease bay = await s_bays.AcquireAsync();
        await Task.Delay(10);
    }
}
