using Samples;

namespace PthreadTurns;

/// <summary>Threads take turns at a mutex of pthreads and a monitor, in one order. See README.md.</summary>
internal static class Program
{
    private static readonly object s_catalog = new();
    private static long s_turns;

    private static void Main()
    {
        Thread[] threads = [Stage.Start("importer", Work), Stage.Start("callback", Work), Stage.Start("exporter", Work)];
        while (Interlocked.Read(ref s_turns) < 2 * threads.Length)
        {
            Thread.Yield();
        }

        Stage.Ready();
    }

    private static void Work()
    {
        while (true)
        {
            NativeMutex.Enter();
            lock (s_catalog)
            {
                // The work that the locks are for, far longer than the way to the next turn: a dump that hits that sees somebody at work.
                Thread.Sleep(100);
                Interlocked.Increment(ref s_turns);
            }

            NativeMutex.Leave();
        }
    }
}
