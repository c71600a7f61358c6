using Samples;

namespace LostAsyncLock;

/// <summary>The one entry of an async lock is lost by an exception; no thread is blocked. See README.md.</summary>
internal static class Program
{
    private const int Requests = 8;

    private static readonly CatalogCache s_cache = new();
    private static readonly List<Task> s_requests = [];

    private static void Main()
    {
        for (int request = 0; request <= Requests; request++)
        {
            s_requests.Add(s_cache.GetAsync(request));
        }

        while (s_cache.Waiting < Requests)
        {
            Thread.Yield();
        }

        Stage.Ready();
    }
}
