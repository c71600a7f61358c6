namespace Truth.Children;

/// <summary>Works for as long as it lives.</summary>
internal static class Worker
{
    public static void Run(string[] args)
    {
        double sum = 0;
        for (int step = 0; ; step++)
        {
            sum += Math.Sqrt(step);
            if (step % 100_000 == 0)
            {
                Thread.Sleep(5);
            }
        }
    }
}
