namespace ManyFlows;

/// <summary>ManyFlows SHAPE COUNT: so many async methods wait for what never comes.</summary>
internal static class Program
{
    private static void Main(string[] args)
    {
        int count = int.Parse(args[1], System.Globalization.CultureInfo.InvariantCulture);
        object waiting = args[0] switch
        {
            "task" => Waiters.OfOneTask(count),
            "semaphore" => Waiters.OfOneSemaphore(count),
            "chain" => Waiters.OfEachOther(count),
            _ => throw new ArgumentException($"{args[0]} is no shape"),
        };
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        Thread.Sleep(Timeout.Infinite);
        GC.KeepAlive(waiting);
    }
}
