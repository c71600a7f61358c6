using System.Diagnostics;

namespace Truth.Healthy;

/// <summary>
/// A batch values positions under a lock, each by at most so many paths and for at most so long; readers wait for it, the last of them
/// for minutes.
/// </summary>
internal static class BatchUnderLock
{
    private const int Positions = 40;
    private const long MostPaths = 4_000_000_000;

    private static readonly TimeSpan s_share = TimeSpan.FromSeconds(15);
    private static readonly ReaderWriterLockSlim s_book = new();
    private static readonly double[] s_losses = new double[Positions];
    private static long s_paths;

    public static void Run()
    {
        Thread batch = new(Value) { Name = "batch" };
        batch.Start();
        while (Volatile.Read(ref s_paths) == 0)
        {
            Thread.Sleep(10);
        }

        Thread[] readers = [.. Enumerable.Range(0, 4).Select(number => new Thread(() => Print(number)) { Name = $"reader {number}" })];
        Array.ForEach(readers, reader => reader.Start());
        Ready.When(() => s_book.WaitingReadCount == readers.Length);
        Array.ForEach(readers, reader => reader.Join());
    }

    private static void Value()
    {
        s_book.EnterWriteLock();
        try
        {
            int position = 0;
            foreach (double loss in Losses())
            {
                s_losses[position++] = loss;
            }
        }
        finally
        {
            s_book.ExitWriteLock();
        }
    }

    private static IEnumerable<double> Losses()
    {
        for (int position = 0; position < Positions; position++)
        {
            yield return Loss(position);
        }
    }

    private static double Loss(int position)
    {
        Stopwatch clock = Stopwatch.StartNew();
        double worst = 0;
        for (long path = 0; path < MostPaths && clock.Elapsed < s_share; path++)
        {
            worst = Math.Max(worst, Math.Sin(path * position));
            s_paths++;
        }

        return worst;
    }

    private static void Print(int number)
    {
        s_book.EnterReadLock();
        try
        {
            Console.WriteLine($"{number}: {s_losses[number]}");
        }
        finally
        {
            s_book.ExitReadLock();
        }
    }
}
