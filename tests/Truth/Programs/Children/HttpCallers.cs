using System.Globalization;

namespace Truth.Children;

/// <summary>Users of a web server: one request whose answer they wait for, then many at the same time.</summary>
internal static class HttpCallers
{
    /// <param name="args">The server, the path of the first request, the path of the others, how many.</param>
    public static void Run(string[] args)
    {
        using HttpClient client = new() { Timeout = Timeout.InfiniteTimeSpan };
        client.GetAsync(args[0] + args[1]).GetAwaiter().GetResult().Dispose();
        int count = int.Parse(args[3], CultureInfo.InvariantCulture);
        Task.WaitAll([.. Enumerable.Range(0, count).Select(_ => client.GetAsync(args[0] + args[2]))]);
        Thread.Sleep(Timeout.Infinite);
    }
}
