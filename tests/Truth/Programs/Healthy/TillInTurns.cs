namespace Truth.Healthy;

/// <summary>A clerk who awaits the till and clerks who block on it take turns; each has it for a while.</summary>
internal static class TillInTurns
{
    private const int Clerks = 3;

    private static readonly SemaphoreSlim s_till = new(1, 1);
    private static long s_sales;

    public static async Task RunAsync()
    {
        for (int number = 1; number <= Clerks; number++)
        {
            new Thread(Serve) { Name = $"clerk-{number}", IsBackground = true }.Start();
        }

        Ready.When(() => Volatile.Read(ref s_sales) > 0);
        while (true)
        {
            await s_till.WaitAsync();
            try
            {
                await Task.Delay(TimeSpan.FromSeconds(20));
                _ = Interlocked.Increment(ref s_sales);
            }
            finally
            {
                _ = s_till.Release();
            }
        }
    }

    private static void Serve()
    {
        while (true)
        {
            s_till.Wait();
            try
            {
                _ = Interlocked.Increment(ref s_sales);
            }
            finally
            {
                _ = s_till.Release();
            }

            Thread.Sleep(1);
        }
    }
}
