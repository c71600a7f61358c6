namespace Truth.Healthy;

/// <summary>
/// Offers are worked on at eight desks, by workers of the pool, who ask for the stock and block until the answer is there. There are two
/// lines to the store, each taken for most of a second; the intake waits for a desk.
/// </summary>
internal static class StockByFewLines
{
    private const int Clerks = 8;

    public static void Run()
    {
        ThreadPool.SetMinThreads(Clerks + 2, Clerks + 2);
        StockClient stock = new();
        SemaphoreSlim desks = new(Clerks, Clerks);
        Thread intake = new(() => TakeIn(stock, desks)) { Name = "intake" };
        intake.Start();
        Ready.When(() => stock.Answers > 3 && stock.Asking == Clerks);
        intake.Join();
    }

    private static void TakeIn(StockClient stock, SemaphoreSlim desks)
    {
        while (true)
        {
            desks.Wait();
            ThreadPool.QueueUserWorkItem(_ =>
            {
                stock.InStock();
                desks.Release();
            });
        }
    }

    private sealed class StockClient
    {
        private readonly SemaphoreSlim _lines = new(2, 2);
        private int _answers;
        private int _asking;

        public int Answers => Volatile.Read(ref _answers);

        public int Asking => Volatile.Read(ref _asking);

        public int InStock() => InStockAsync().Result;

        private async Task<int> InStockAsync()
        {
            Interlocked.Increment(ref _asking);
            await _lines.WaitAsync().ConfigureAwait(false);
            try
            {
                await Task.Delay(700).ConfigureAwait(false);
                return Interlocked.Increment(ref _answers) % 400;
            }
            finally
            {
                _lines.Release();
                Interlocked.Decrement(ref _asking);
            }
        }
    }
}
