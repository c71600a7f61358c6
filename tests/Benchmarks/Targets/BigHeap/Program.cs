namespace BigHeap;

/// <summary>
/// A process of the size that benchmarks read: 500 threads, 8.5 million objects, 200,000 dictionaries, 1.5 GB; and as many async
/// requests as its argument says.
/// </summary>
internal static class Program
{
    private const int Threads = 500;
    private const int Dictionaries = 200_000;

    private static void Main(string[] args)
    {
        List<Holder> holders = new(Dictionaries);
        for (int i = 0; i < Dictionaries; i++)
        {
            holders.Add(new Holder(i));
        }

        IReadOnlyList<Task> requests = Requests.Start(args is [string count] ? int.Parse(count, System.Globalization.CultureInfo.InvariantCulture) : 0);
        GC.Collect();
        List<Sleeper> sleepers = new(Threads);
        for (int i = 0; i < Threads; i++)
        {
            sleepers.Add(new Sleeper(i, holders[i].Names));
        }

        foreach (Sleeper sleeper in sleepers)
        {
            while (!sleeper.IsThere)
            {
                Thread.Yield();
            }
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
        GC.KeepAlive(holders);
        GC.KeepAlive(requests);
    }
}
