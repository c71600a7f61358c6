using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>
/// A cache has a lock for each key. Two prices are each made of the other, and two buyers ask for one of them each; other buyers go on.
/// </summary>
internal static class PricesOfEachOther
{
    public static async Task RunAsync()
    {
        PriceCache cache = new();
        Task[] shoppers = [.. Enumerable.Range(0, 4).Select(number => ShopForEverAsync(cache, $"tea-{number}"))];
        Task[] buyers = [cache.GetAsync("set", () => CostOfSetAsync(cache)), cache.GetAsync("refill", () => CostOfRefillAsync(cache))];
        cache.BothAsked.SetResult();
        Ready.When(() => cache.Made > 40 && !Array.Exists([.. buyers, .. shoppers], task => task.IsCompleted));
        await Task.WhenAll(buyers);
    }

    private static async Task<decimal> CostOfSetAsync(PriceCache cache)
    {
        await cache.BothAsked.Task;
        return 2 * await cache.GetAsync("refill", () => CostOfRefillAsync(cache));
    }

    private static async Task<decimal> CostOfRefillAsync(PriceCache cache)
    {
        await cache.BothAsked.Task;
        return await cache.GetAsync("set", () => CostOfSetAsync(cache)) / 3;
    }

    private static async Task ShopForEverAsync(PriceCache cache, string article)
    {
        while (true)
        {
            await cache.GetAsync(article, async () =>
            {
                await Task.Delay(10);
                return 1m;
            });
        }
    }

    private sealed class PriceCache
    {
        private readonly ConcurrentDictionary<string, SemaphoreSlim> _locks = new();
        private int _made;

        public TaskCompletionSource BothAsked { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int Made => Volatile.Read(ref _made);

        public async Task<decimal> GetAsync(string key, Func<Task<decimal>> make)
        {
            SemaphoreSlim own = _locks.GetOrAdd(key, static _ => new SemaphoreSlim(1, 1));
            await own.WaitAsync();
            try
            {
                decimal price = await make();
                Interlocked.Increment(ref _made);
                return price;
            }
            finally
            {
                own.Release();
            }
        }
    }
}
