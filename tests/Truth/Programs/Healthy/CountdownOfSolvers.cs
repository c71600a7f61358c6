using System.Diagnostics;

namespace Truth.Healthy;

/// <summary>Main waits for three threads that compute, and that look at the clock while they do.</summary>
internal static class CountdownOfSolvers
{
    private static long s_steps;

    public static void Run()
    {
        using CountdownEvent done = new(3);
        for (int number = 0; number < 3; number++)
        {
            new Thread(() => Solve(done)) { Name = $"solver-{number}", IsBackground = true }.Start();
        }

        Ready.When(() => Volatile.Read(ref s_steps) > 1000);
        done.Wait();
    }

    private static void Solve(CountdownEvent done)
    {
        Stopwatch watch = Stopwatch.StartNew();
        while (watch.Elapsed < TimeSpan.FromHours(1))
        {
            Interlocked.Increment(ref s_steps);
        }

        done.Signal();
    }
}
