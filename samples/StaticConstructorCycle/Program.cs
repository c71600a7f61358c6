using System.Collections.Concurrent;
using Samples;

namespace StaticConstructorCycle;

/// <summary>A static constructor waits for the end of a thread that waits for the static constructor. See README.md.</summary>
internal static class Program
{
    private const int Threads = 3;

    private static readonly ConcurrentQueue<uint> s_started = [];

    /// <summary>Starts a thread and notes its id: the runtime counts no thread as waiting that waits for a static constructor.</summary>
    public static Thread Start(string name, Action run) => Stage.Start(name, () =>
    {
        s_started.Enqueue(NativeThreadId.Current);
        run();
    });

    private static void Main()
    {
        Start("starter", () => Console.WriteLine(Rates.Of("EUR")));
        while (s_started.Count < Threads - 1)
        {
            Thread.Yield();
        }

        Start("shop", () => Console.WriteLine(Rates.Of("USD")));
        while (s_started.Count < Threads)
        {
            Thread.Yield();
        }

        foreach (uint thread in s_started)
        {
            KernelWait.Await(thread);
        }

        Stage.Ready();
    }
}
