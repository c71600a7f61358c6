namespace Truth.Healthy;

/// <summary>Parallel.For computes on the pool's workers and on the first thread.</summary>
internal static class ParallelCompute
{
    private static long s_rows;

    public static void Run()
    {
        Ready.When(() => Volatile.Read(ref s_rows) > 20);
        while (true)
        {
            Parallel.For(0, 1000, new ParallelOptions { MaxDegreeOfParallelism = 3 }, ComputeRow);
        }
    }

    private static void ComputeRow(int row)
    {
        double sum = 0;
        for (int i = 1; i < 2_000_000; i++)
        {
            sum += Math.Sqrt(row + i);
        }

        Interlocked.Add(ref s_rows, sum > 0 ? 1 : 0);
    }
}
