using Samples;

namespace CrossedAsyncLocks;

/// <summary>Two async methods take two async locks in opposite order. See README.md.</summary>
internal static class Program
{
    private static int s_crossed;
    private static int s_inside;

    private static async Task Main()
    {
        Thread.CurrentThread.Name = "main";
        _ = Stage.Start("announcer", Announce);
        using SemaphoreSlim orders = new(1, 1);
        using SemaphoreSlim ledger = new(1, 1);
        TaskCompletionSource bothInside = new();
        await Task.WhenAll(TakeAsync(orders, ledger, bothInside), TakeAsync(ledger, orders, bothInside));
    }

    private static async Task TakeAsync(SemaphoreSlim first, SemaphoreSlim second, TaskCompletionSource bothInside)
    {
        await first.WaitAsync();
        if (Interlocked.Increment(ref s_inside) == 2)
        {
            bothInside.SetResult();
        }

        await bothInside.Task;
        Task entered = second.WaitAsync();
        Interlocked.Increment(ref s_crossed);
        await entered;
        second.Release();
        first.Release();
    }

    private static void Announce()
    {
        while (Volatile.Read(ref s_crossed) < 2)
        {
            Thread.Yield();
        }

        Stage.Ready();
    }
}
