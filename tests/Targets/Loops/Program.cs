using Process = System.Diagnostics.Process;

namespace Loops;

/// <summary>
/// Loops KIND endless|ending: a thread computes under a lock for which another waits. The endless one goes round for ever; its twin has the
/// same code, takes longer than any look, and ends. READY is printed when both are where they are to be.
/// </summary>
internal static class Program
{
    private static readonly object s_books = new();

    private static int Main(string[] args)
    {
        if (args is not [var kind, "endless" or "ending"] || !Catalog.Kinds.TryGetValue(kind, out Action<bool>? compute))
        {
            Console.Error.WriteLine("Loops " + string.Join('|', Catalog.Kinds.Keys) + " endless|ending");
            return 64;
        }

        bool isEndless = args[1] == "endless";
        using ManualResetEventSlim holds = new();
        Thread worker = Start("worker", () =>
        {
            lock (s_books)
            {
                holds.Set();
                compute(isEndless);
            }
        });
        holds.Wait();
        Thread reader = Start("reader", () =>
        {
            lock (s_books)
            {
                Console.WriteLine("read");
            }
        });
        SpinWait.SpinUntil(() => reader.ThreadState.HasFlag(ThreadState.WaitSleepJoin));

        // By then the loop is compiled as it stays.
        using Process self = Process.GetCurrentProcess();
        while (self.UserProcessorTime < TimeSpan.FromSeconds(1) && !worker.Join(TimeSpan.FromMilliseconds(10)))
        {
            self.Refresh();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        worker.Join();
        reader.Join();
        return 0;
    }

    private static Thread Start(string name, Action run)
    {
        Thread thread = new(() => run()) { Name = name, IsBackground = true };
        thread.Start();
        return thread;
    }
}
