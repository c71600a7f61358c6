using System.Collections.Concurrent;
using Polly;
using Polly.Bulkhead;

namespace Truth.Hung;

/// <summary>Both places of a Polly bulkhead are taken by calls whose confirmation got lost; ten more wait for a place.</summary>
internal static class PollyBulkheadExhausted
{
    private static readonly InventoryClient s_inventory = new();

    public static async Task RunAsync()
    {
        for (int i = 0; i < 12; i++)
        {
            _ = s_inventory.ReserveAsync(i);
        }

        Ready.WhenStill(() => s_inventory.IsExhausted);
        await Task.Delay(Timeout.Infinite);
    }

    private sealed class InventoryClient
    {
        private readonly AsyncBulkheadPolicy _bulkhead = Policy.BulkheadAsync(2, 100);
        private readonly ConcurrentDictionary<int, TaskCompletionSource> _unconfirmed = new();

        public bool IsExhausted => _bulkhead.BulkheadAvailableCount == 0 && _bulkhead.QueueAvailableCount == 90;

        public Task ReserveAsync(int order) => _bulkhead.ExecuteAsync(() => SendAsync(order));

        private async Task SendAsync(int order)
        {
            TaskCompletionSource confirmed = new();
            _unconfirmed[order] = confirmed;
            await confirmed.Task;
            _unconfirmed.TryRemove(order, out _);
        }
    }
}
