namespace Truth.Healthy;

/// <summary>The first thread joins a worker that does its rounds for as long as the process lives.</summary>
internal static class MainJoinsLoop
{
    private static int s_rounds;

    public static void Run()
    {
        Thread worker = new(DoRounds) { Name = "collector" };
        worker.Start();
        Ready.When(() => Volatile.Read(ref s_rounds) > 2);
        worker.Join();
    }

    private static void DoRounds()
    {
        while (true)
        {
            Interlocked.Increment(ref s_rounds);
            Thread.Sleep(250);
        }
    }
}
