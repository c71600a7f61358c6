using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using Samples;

namespace BusyDictionary;

/// <summary>Collections that are worked on all the time, and as they should be.</summary>
internal static class Program
{
    private const int Rounds = 1000;

    private static void Main()
    {
        Thread.CurrentThread.Name = "main";
        Dictionary<int, string> own = [];
        Dictionary<int, string> shared = Enumerable.Range(0, 1000).ToDictionary(i => i, i => $"{i}");
        Dictionary<int, int> guarded = [];
        ConcurrentDictionary<int, int> concurrent = new();
        Worker[] workers =
        [
            new("writer", round => Write(own, round)),
            new("reader-1", round => shared.ContainsKey(round)),
            new("reader-2", round => shared.ContainsKey(-round)),
            new("locker-1", round => WriteInTurn(guarded, round)),
            new("locker-2", round => WriteInTurn(guarded, round)),
            new("concurrent-1", round => concurrent[round % 1000] = round),
            new("concurrent-2", round => concurrent[round % 1000] = round),
        ];
        foreach (Worker worker in workers)
        {
            worker.Start();
        }

        while (!Array.TrueForAll(workers, worker => worker.Rounds >= Rounds))
        {
            Thread.Yield();
        }

        Warmth.Up(() => Thread.Yield());
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        workers[0].Join();
    }

    /// <summary>Adds, replaces and removes, so that entries become free and are taken again.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Write(Dictionary<int, string> own, int round)
    {
        own[round % 5000] = "";
        own.Remove(round * 7 % 5000);
    }

    private static void WriteInTurn(Dictionary<int, int> guarded, int round)
    {
        lock (guarded)
        {
            guarded[round % 1000] = round;
        }
    }
}
