namespace CrossedLocks;

/// <summary>Two threads, a lock of .NET and one of Windows, taken in opposite orders. See README.md.</summary>
internal static class Program
{
    private static readonly object s_cache = new();

    private static void Main()
    {
        using Barrier bothHold = new(2);
        Thread refresh = Start("refresh", () =>
        {
            lock (s_cache)
            {
                bothHold.SignalAndWait();
                Section.Enter();
            }
        });
        int held = 0;
        using ManualResetEventSlim asks = new();
        Thread callback = Start("callback", () =>
        {
            Section.Enter();
            held = Section.LockCount;
            asks.Set();
            bothHold.SignalAndWait();
            lock (s_cache)
            {
            }
        });
        asks.Wait();
        while (Section.LockCount == held || !callback.ThreadState.HasFlag(ThreadState.WaitSleepJoin))
        {
            Thread.Yield();
        }

        Thread reader = Start("reader", () =>
        {
            lock (s_cache)
            {
            }
        });
        while (!reader.ThreadState.HasFlag(ThreadState.WaitSleepJoin))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        refresh.Join();
    }

    private static Thread Start(string name, ThreadStart run)
    {
        Thread thread = new(run) { Name = name, IsBackground = true };
        thread.Start();
        return thread;
    }
}
