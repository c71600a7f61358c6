using Samples;

namespace TurnTakers;

/// <summary>
/// Threads that take turns on a lock, and sleep in it until they are woken. At any instant one seems to hold the lock for
/// ever; each line on the input ends a turn.
/// </summary>
internal static class Program
{
    private const int Turns = 4;

    private static readonly object s_turn = new();
    private static readonly ManualResetEvent s_closed = new(initialState: false);
    private static volatile Thread? s_owner;
    private static volatile int s_begun;

    private static void Main()
    {
        List<Thread> threads = [Stage.Start("turn-1", TakeTurn)];
        WaitFor(1, threads);
        for (int i = 2; i <= Turns; i++)
        {
            threads.Add(Stage.Start($"turn-{i}", TakeTurn));
        }

        for (int turn = 1; turn <= Turns; turn++)
        {
            WaitFor(turn, threads);
            Console.WriteLine($"READY pid={Environment.ProcessId} turn={turn}");
            Console.ReadLine();
            s_owner!.Interrupt();
        }
    }

    private static void TakeTurn()
    {
        lock (s_turn)
        {
            s_owner = Thread.CurrentThread;
            s_begun++;
            try
            {
                Thread.Sleep(Timeout.Infinite);
            }
            catch (ThreadInterruptedException)
            {
                // The turn is over.
            }
        }

        s_closed.WaitOne();
    }

    private static void WaitFor(int begun, List<Thread> threads)
        => ThreadRest.Await(() => s_begun == begun && threads.All(ThreadRest.IsAtRest));
}
