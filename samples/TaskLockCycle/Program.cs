using Samples;

namespace TaskLockCycle;

/// <summary>A thread waits for a task under a lock that the task needs. See README.md.</summary>
internal static class Program
{
    private static readonly Ledger s_ledger = new();
    private static volatile Thread? s_runs;

    private static void Main()
    {
        Thread settler = new(Settle) { Name = "settler", IsBackground = true };
        settler.Start();
        while (s_runs is not { } runs || !ThreadRest.IsAtRest(runs) || !ThreadRest.IsAtRest(settler))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    private static void Settle()
    {
        lock (s_ledger)
        {
            using ManualResetEventSlim begun = new();
            Task booking = Task.Run(() => Book(begun));
            begun.Wait();
            booking.Wait();
        }
    }

    private static void Book(ManualResetEventSlim begun)
    {
        begun.Set();
        s_runs = Thread.CurrentThread;
        lock (s_ledger)
        {
            Console.WriteLine("never printed");
        }
    }
}
