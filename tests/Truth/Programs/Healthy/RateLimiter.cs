namespace Truth.Healthy;

/// <summary>Twenty flows share a semaphore of four; each holds it for a short delay and releases it in a finally.</summary>
internal static class RateLimiter
{
    public static async Task RunAsync()
    {
        Gateway gateway = new();
        Task[] callers = [.. Enumerable.Range(0, 20).Select(_ => CallForEverAsync(gateway))];
        Ready.When(() => gateway.Calls > 40);
        await Task.WhenAll(callers);
    }

    private static async Task CallForEverAsync(Gateway gateway)
    {
        while (true)
        {
            await gateway.CallAsync();
        }
    }

    private sealed class Gateway
    {
        private readonly SemaphoreSlim _places = new(4, 4);
        private int _calls;

        public int Calls => Volatile.Read(ref _calls);

        public async Task CallAsync()
        {
            await _places.WaitAsync();
            try
            {
                await Task.Delay(20);
                Interlocked.Increment(ref _calls);
            }
            finally
            {
                _places.Release();
            }
        }
    }
}
