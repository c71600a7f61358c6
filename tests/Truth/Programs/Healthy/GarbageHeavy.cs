namespace Truth.Healthy;

/// <summary>Two workers allocate so much that the garbage collector is always at work.</summary>
internal static class GarbageHeavy
{
    private static long s_documents;

    public static void Run()
    {
        Thread[] workers = [.. Enumerable.Range(0, 2).Select(number => new Thread(Index) { Name = $"indexer-{number}" })];
        foreach (Thread worker in workers)
        {
            worker.Start();
        }

        Ready.When(() => GC.CollectionCount(0) > 20 && Volatile.Read(ref s_documents) > 0);
        foreach (Thread worker in workers)
        {
            worker.Join();
        }
    }

    private static void Index()
    {
        Dictionary<int, string[]> words = [];
        for (int document = 0; ; document++)
        {
            words[document % 2000] = [.. Enumerable.Range(0, 50).Select(word => $"word {word} of {document}")];
            Interlocked.Increment(ref s_documents);
        }
    }
}
