namespace Truth.Hung;

/// <summary>Two walkers may be in the tree at once; each has a lane, and takes one more for the branch below.</summary>
internal static class LanesOneMore
{
    private const int Walkers = 2;

    private static readonly SemaphoreSlim s_lanes = new(Walkers, Walkers);
    private static readonly Barrier s_inside = new(Walkers);

    public static void Run()
    {
        Thread[] walkers =
        [
            .. Enumerable.Range(1, Walkers).Select(number => new Thread(() => Walk(3)) { Name = $"walker-{number}", IsBackground = true }),
        ];
        foreach (Thread walker in walkers)
        {
            walker.Start();
        }

        Ready.WhenAtRest(() => s_lanes.CurrentCount == 0, walkers);
        foreach (Thread walker in walkers)
        {
            walker.Join();
        }
    }

    private static void Walk(int depth)
    {
        s_lanes.Wait();
        try
        {
            s_inside.SignalAndWait();
            if (depth > 0)
            {
                Walk(depth - 1);
            }
        }
        finally
        {
            _ = s_lanes.Release();
        }
    }
}
