using System.Collections.Concurrent;

namespace Truth.Hung;

/// <summary>
/// A thread revises prices with the journal open and asks the cache for each, which has a lock for each key; who fills the entry of that
/// key has its lock, and waits for the journal. Another thread beats time.
/// </summary>
internal static class JournalAndPriceCache
{
    public static async Task RunAsync()
    {
        Journal journal = new();
        PriceCache cache = new(new KeyLocks());
        using Timer beat = new(_ => Console.Error.Write('.'), null, 500, 500);
        TaskCompletionSource filling = new();
        Thread reviser = new(() => journal.Revise(() =>
        {
            filling.SetResult();
            SpinWait.SpinUntil(() => cache.Filling == 1 && journal.Waiting == 1);
            cache.Get("zone 1", static () => 1m);
        })) { Name = "reviser" };
        reviser.Start();
        await filling.Task;
        Task<decimal> price = cache.GetAsync("zone 1", () => journal.ReadAsync());
        Ready.When(() => journal.Waiting == 1 && (reviser.ThreadState & ThreadState.WaitSleepJoin) != 0);
        Console.WriteLine(await price);
    }

    private sealed class Journal
    {
        private readonly SemaphoreSlim _open = new(1, 1);
        private int _waiting;

        public int Waiting => Volatile.Read(ref _waiting);

        public void Revise(Action body)
        {
            _open.Wait();
            try
            {
                body();
            }
            finally
            {
                _open.Release();
            }
        }

        public async Task<decimal> ReadAsync()
        {
            Interlocked.Increment(ref _waiting);
            await _open.WaitAsync();
            try
            {
                await Task.Yield();
                return 2m;
            }
            finally
            {
                _open.Release();
            }
        }
    }

    private sealed class PriceCache(KeyLocks locks)
    {
        private readonly ConcurrentDictionary<string, decimal> _prices = new();
        private int _filling;

        public int Filling => Volatile.Read(ref _filling);

        public async Task<decimal> GetAsync(string key, Func<Task<decimal>> fill)
        {
            SemaphoreSlim taken = await locks.TakeAsync(key);
            try
            {
                Interlocked.Increment(ref _filling);
                return _prices[key] = await fill();
            }
            finally
            {
                GiveBack(taken);
            }
        }

        public decimal Get(string key, Func<decimal> fill)
        {
            SemaphoreSlim taken = locks.Take(key);
            try
            {
                return _prices[key] = fill();
            }
            finally
            {
                GiveBack(taken);
            }
        }

        private void GiveBack(SemaphoreSlim taken) => locks.GiveBack(taken);
    }

    private sealed class KeyLocks
    {
        private readonly ConcurrentDictionary<string, SemaphoreSlim> _locks = new();

        public SemaphoreSlim Take(string key)
        {
            SemaphoreSlim own = Of(key);
            own.Wait();
            return own;
        }

        public async Task<SemaphoreSlim> TakeAsync(string key)
        {
            SemaphoreSlim own = Of(key);
            await own.WaitAsync();
            return own;
        }

        public void GiveBack(SemaphoreSlim taken) => taken.Release();

        private SemaphoreSlim Of(string key) => _locks.GetOrAdd(key, static _ => new SemaphoreSlim(1, 1));
    }
}
