using Polly;
using Polly.Bulkhead;

namespace Truth.Healthy;

/// <summary>Eight flows share the two places of a Polly bulkhead, each for 15 ms.</summary>
internal static class PollyBulkheadInTurn
{
    private static readonly AsyncBulkheadPolicy s_bulkhead = Policy.BulkheadAsync(2, 100);
    private static int s_sent;

    public static async Task RunAsync()
    {
        Task[] flows = [.. Enumerable.Range(0, 8).Select(_ => SendForEverAsync())];
        Ready.When(() => Volatile.Read(ref s_sent) > 20);
        await Task.WhenAll(flows);
    }

    private static async Task SendForEverAsync()
    {
        while (true)
        {
            await s_bulkhead.ExecuteAsync(SendAsync);
        }
    }

    private static async Task SendAsync()
    {
        await Task.Delay(15);
        Interlocked.Increment(ref s_sent);
    }
}
