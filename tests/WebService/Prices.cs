namespace WebService;

/// <summary>Sync over async: as many requests as the pool may have workers, and nobody is left to go on with any of them.</summary>
internal static class Prices
{
    private const int Workers = 8;

    public static int Show(int article)
    {
        ThreadPool.SetMinThreads(Workers, 1);
        ThreadPool.SetMaxThreads(Workers, Workers);
        return FetchAsync(article).Result;
    }

    private static async Task<int> FetchAsync(int article)
    {
        await Task.Delay(1_000);
        return article * 2;
    }
}
