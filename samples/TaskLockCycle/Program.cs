using Samples;

namespace TaskLockCycle;

/// <summary>A thread waits for a task under a lock that the task needs. See README.md.</summary>
internal static class Program
{
    private static readonly Ledger s_ledger = new();
    private static volatile Thread? s_runs;

    private static void Main()
    {
        Warmth.Up(SettleAndBookElsewhere);
        Thread settler = Start(s_ledger);
        while (s_runs is not { } runs || !ThreadRest.IsAtRest(runs) || !ThreadRest.IsAtRest(settler))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
    }

    // The task needs another lock, which is free after a moment.
    private static void SettleAndBookElsewhere()
    {
        Ledger other = new();
        Thread settler;
        lock (other)
        {
            settler = Start(other);
            SpinWait.SpinUntil(() => s_runs is not null);
            Warmth.AwaitWaits(settler, s_runs!);
        }

        settler.Join();
        s_runs = null;
    }

    private static Thread Start(Ledger booked) => Stage.Start("settler", () => Settle(booked));

    private static void Settle(Ledger booked)
    {
        lock (s_ledger)
        {
            using ManualResetEventSlim begun = new();
            Task booking = Task.Run(() => Book(begun, booked));
            begun.Wait();
            booking.Wait();
        }
    }

    private static void Book(ManualResetEventSlim begun, Ledger ledger)
    {
        begun.Set();
        s_runs = Thread.CurrentThread;
        lock (ledger)
        {
            Console.WriteLine("never printed");
        }
    }
}
