namespace Truth.Hung;

/// <summary>Every worker of the thread pool blocks on an async method that needs a worker to go on.</summary>
internal static class SyncOverAsyncStarvation
{
    private const int Workers = 16;
    private const int Requests = 60;

    public static void Run()
    {
        ThreadPool.SetMinThreads(Workers, 1);
        ThreadPool.SetMaxThreads(Workers, Workers);
        PriceClient prices = new();
        using CountdownEvent done = new(Requests);
        for (int i = 0; i < Requests; i++)
        {
            int article = i;
            ThreadPool.QueueUserWorkItem(_ =>
            {
                prices.Show(article);
                done.Signal();
            });
        }

        // What waits in the pool's queue beyond the requests is what would end the waits.
        Ready.WhenStill(() => prices.Asked >= Workers && ThreadPool.PendingWorkItemCount > Requests - prices.Asked);
        done.Wait();
    }

    private sealed class PriceClient
    {
        private int _asked;

        public int Asked => Volatile.Read(ref _asked);

        public void Show(int article) => Console.WriteLine(FetchAsync(article).Result);

        private async Task<int> FetchAsync(int article)
        {
            Interlocked.Increment(ref _asked);
            await Task.Delay(100);
            return article * 2;
        }
    }
}
