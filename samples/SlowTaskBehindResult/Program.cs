using Samples;

namespace SlowTaskBehindResult;

/// <summary>Threads that are no user interface's block on tasks that make progress: slow, and well. See README.md.</summary>
internal static class Program
{
    private static int s_asking;

    private static void Main()
    {
        using ManualResetEventSlim computes = new();
        Thread[] waiters =
        [
            new(() => Ask(() => Task.Run(async () =>
            {
                await Task.Delay(TimeSpan.FromHours(1));
                return 1;
            }).Result)) { Name = "unwrapped" },
            new(() => Ask(() => SumAsync().GetAwaiter().GetResult())) { Name = "async-method" },
            new(() => Ask(() => Task.WaitAll(Task.Delay(TimeSpan.FromHours(1)), Task.Delay(TimeSpan.FromHours(2))))) { Name = "wait-all" },
            new(() => Ask(() => Task.Factory.StartNew(() => Compute(computes), TaskCreationOptions.LongRunning).Wait())) { Name = "computation" },
        ];
        foreach (Thread waiter in waiters)
        {
            waiter.IsBackground = true;
            waiter.Start();
        }

        computes.Wait();
        while (Volatile.Read(ref s_asking) < waiters.Length || Timer.ActiveCount < 5
            || !waiters.All(ThreadRest.IsAtRest))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    private static void Ask<T>(Func<T> wait)
    {
        Interlocked.Increment(ref s_asking);
        wait();
    }

    private static void Ask(Action wait)
    {
        Interlocked.Increment(ref s_asking);
        wait();
    }

    private static async Task<int> SumAsync()
    {
        await Task.WhenAll(Task.Delay(TimeSpan.FromHours(1)), Task.Delay(TimeSpan.FromHours(3)));
        return 1;
    }

    private static void Compute(ManualResetEventSlim computes)
    {
        computes.Set();
        Thread.Sleep(Timeout.Infinite);
    }
}
