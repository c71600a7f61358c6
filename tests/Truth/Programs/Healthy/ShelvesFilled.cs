using Nito.AsyncEx;

namespace Truth.Healthy;

/// <summary>
/// A shop takes what its baker puts on the shelf, and waits for the doors to open; both are of a library, and a clock brings both.
/// </summary>
internal static class ShelvesFilled
{
    private static readonly TimeSpan s_while = TimeSpan.FromSeconds(90);

    public static async Task RunAsync()
    {
        Bakery bakery = new();
        Task sold = bakery.SellAsync();
        Task open = bakery.OpenAsync();
        using Timer doors = new(_ => bakery.Unlock(), null, s_while, Timeout.InfiniteTimeSpan);
        Task baking = bakery.BakeAsync();
        Ready.WhenStill(() => !sold.IsCompleted && !open.IsCompleted);
        await Task.WhenAll(sold, open, baking);
    }

    private sealed class Bakery
    {
        private readonly AsyncProducerConsumerQueue<int> _shelf = new();
        private readonly AsyncManualResetEvent _unlocked = new();

        public void Unlock() => _unlocked.Set();

        public async Task OpenAsync()
        {
            await _unlocked.WaitAsync();
            Console.WriteLine("open");
        }

        public async Task BakeAsync()
        {
            for (int loaf = 0; loaf < 4; loaf++)
            {
                await Task.Delay(s_while);
                await _shelf.EnqueueAsync(loaf);
            }

            _shelf.CompleteAdding();
        }

        public async Task SellAsync()
        {
            while (await _shelf.OutputAvailableAsync())
            {
                Console.WriteLine(await _shelf.DequeueAsync());
            }
        }
    }
}
