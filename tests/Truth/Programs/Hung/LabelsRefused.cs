using System.Threading.RateLimiting;

namespace Truth.Hung;

/// <summary>
/// A limiter for each carrier admits two labels at once. A label that cannot be drawn throws before the part that gives the permit back. A
/// timer ticks all the while.
/// </summary>
internal static class LabelsRefused
{
    private static readonly PartitionedRateLimiter<string> s_carriers = PartitionedRateLimiter.Create<string, string>(carrier =>
        RateLimitPartition.GetConcurrencyLimiter(carrier, _ => new ConcurrencyLimiterOptions { PermitLimit = 2, QueueLimit = 100 }));

    private static readonly CancellationTokenSource s_stop = new();
    private static int s_refused;

    public static async Task RunAsync()
    {
        Console.CancelKeyPress += (_, _) => s_stop.Cancel();
        Ready.When(() => s_refused == 2 && s_carriers.GetStatistics("parcel")?.CurrentQueuedCount == 5);
        await Task.WhenAll([CountAsync(), .. Enumerable.Range(0, 5).Select(PrintAllAsync)]);
    }

    private static async Task CountAsync()
    {
        using PeriodicTimer clock = new(TimeSpan.FromSeconds(1));
        while (await clock.WaitForNextTickAsync())
        {
            _ = s_carriers.GetStatistics("parcel");
        }
    }

    private static async Task PrintAllAsync(int lane)
    {
        for (int number = lane; number < 1_000; number += 5)
        {
            try
            {
                await PrintAsync(number);
            }
            catch (FormatException)
            {
                Interlocked.Increment(ref s_refused);
            }
        }
    }

    private static async Task PrintAsync(int number)
    {
        RateLimitLease permit = await s_carriers.AcquireAsync("parcel", 1, s_stop.Token);
        string label = Draw(number);
        try
        {
            await Task.Delay(label.Length);
        }
        finally
        {
            permit.Dispose();
        }
    }

    private static string Draw(int number) => number % 20 == 7 ? throw new FormatException($"label {number}") : $"^XA{number}^XZ";
}
