namespace Truth.Healthy;

/// <summary>Four threads compute, and take the same lock for a moment after each step.</summary>
internal static class LockInTurns
{
    private const int Threads = 4;

    public static void Run()
    {
        Totals totals = new();
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(number => new Thread(totals.Compute) { Name = $"compute-{number}" })];
        foreach (Thread thread in threads)
        {
            thread.Start();
        }

        Ready.When(() => totals.Steps > 10_000);
        foreach (Thread thread in threads)
        {
            thread.Join();
        }
    }

    private sealed class Totals
    {
        private readonly object _gate = new();
        private double _sum;
        private long _steps;

        public long Steps => Volatile.Read(ref _steps);

        public void Compute()
        {
            for (int step = 0; ; step++)
            {
                double part = Part(step, 2000);
                lock (_gate)
                {
                    _sum += part + Part(step, 200);
                    _steps++;
                }
            }
        }

        private static double Part(int step, int terms)
        {
            double part = 0;
            for (int i = 1; i <= terms; i++)
            {
                part += Math.Sin(step) / i;
            }

            return part;
        }
    }
}
