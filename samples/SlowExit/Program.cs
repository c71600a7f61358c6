using Samples;

namespace SlowExit;

/// <summary>A handler of the process's exit waits for a thread that works off a queue. See README.md.</summary>
internal static class Program
{
    private const int StepsBeforeReady = 20;

    private static readonly Thread s_writer = Stage.Start("writer", WriteAll);
    private static int s_written;
    private static volatile bool s_isEnding;

    private static void Main()
    {
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Drain();
        _ = Stage.Start("announcer", Announce);
        Environment.Exit(0);
    }

    private static void Drain()
    {
        s_isEnding = true;
        s_writer.Join();
    }

    // The queue is long.
    private static void WriteAll()
    {
        for (s_written = 0; s_written < int.MaxValue; s_written++)
        {
            Thread.Sleep(5);
        }
    }

    private static void Announce()
    {
        while (!s_isEnding || Volatile.Read(ref s_written) < StepsBeforeReady || !s_writer.IsAlive)
        {
            Thread.Yield();
        }

        Stage.Ready();
    }
}
