namespace Truth.Hung;

/// <summary>Two async methods take two async locks in opposite order.</summary>
internal static class AsyncLocksCrosswise
{
    public static async Task RunAsync()
    {
        Books books = new();
        Task settle = books.SettleAsync();
        Task close = books.CloseAsync();
        Ready.WhenStill(() => books.Crossed == 2);
        await Task.WhenAll(settle, close);
    }

    private sealed class AsyncLock
    {
        private readonly SemaphoreSlim _semaphore = new(1, 1);

        public async Task<IDisposable> EnterAsync()
        {
            await _semaphore.WaitAsync();
            return new Releaser(_semaphore);
        }

        private sealed class Releaser(SemaphoreSlim semaphore) : IDisposable
        {
            public void Dispose() => semaphore.Release();
        }
    }

    private sealed class Books
    {
        private readonly AsyncLock _orders = new();
        private readonly AsyncLock _ledger = new();
        private int _crossed;
        private int _entered;

        public int Crossed => Volatile.Read(ref _crossed);

        public async Task SettleAsync()
        {
            using IDisposable orders = await _orders.EnterAsync();
            await BothInsideAsync();
            Interlocked.Increment(ref _crossed);
            using IDisposable ledger = await _ledger.EnterAsync();
        }

        public async Task CloseAsync()
        {
            using IDisposable ledger = await _ledger.EnterAsync();
            await BothInsideAsync();
            Interlocked.Increment(ref _crossed);
            using IDisposable orders = await _orders.EnterAsync();
        }

        private async Task BothInsideAsync()
        {
            Interlocked.Increment(ref _entered);
            while (Volatile.Read(ref _entered) < 2)
            {
                await Task.Delay(1);
            }
        }
    }
}
