namespace ConcurrentWriters;

/// <summary>Three threads write to one Dictionary without a lock.</summary>
internal static class Program
{
    private static void Main()
    {
        Dictionary<Document, string> index = [];
        Writer[] writers = [new("indexer-1", index), new("indexer-2", index), new("indexer-3", index)];
        foreach (Writer writer in writers)
        {
            writer.Start();
        }

        while (!Array.TrueForAll(writers, writer => writer.IsInside))
        {
            Thread.Yield();
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        writers[0].Join();
    }
}
