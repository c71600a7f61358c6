using System.Collections.Concurrent;

namespace Truth.Healthy;

/// <summary>A cache of Lazy values: one of four threads computes the next value, some 10 ms, and the others wait for it.</summary>
internal static class LazyInTurns
{
    private static long s_reads;

    public static void Run()
    {
        TileCache cache = new();
        Thread[] readers = [.. Enumerable.Range(0, 4).Select(number => new Thread(() => ReadAll(cache)) { Name = $"reader-{number}" })];
        foreach (Thread reader in readers)
        {
            reader.Start();
        }

        Ready.When(() => Volatile.Read(ref s_reads) > 40);
        foreach (Thread reader in readers)
        {
            reader.Join();
        }
    }

    private static void ReadAll(TileCache cache)
    {
        for (int tile = 0; ; tile++)
        {
            cache.Get(tile);
            Interlocked.Increment(ref s_reads);
            Thread.Sleep(30);
        }
    }

    private sealed class TileCache
    {
        private readonly ConcurrentDictionary<int, Lazy<double>> _tiles = new();

        public double Get(int tile) => _tiles.GetOrAdd(tile, static tile => new Lazy<double>(() => Render(tile))).Value;

        private static double Render(int tile)
        {
            double pixel = tile;
            for (int i = 1; i < 1_000_000; i++)
            {
                pixel += Math.Sqrt(i);
            }

            return pixel;
        }
    }
}
