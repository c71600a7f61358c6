using Truth.Children;

namespace Truth.Healthy;

/// <summary>Eight flows share two connections to a server that answers within 20 ms; the client's timeout is the usual one.</summary>
internal static class HttpPoolInTurn
{
    private static int s_answers;

    public static async Task RunAsync()
    {
        int port = Child.StartServer("child-http", "20");
        using SocketsHttpHandler handler = new() { MaxConnectionsPerServer = 2 };
        using HttpClient client = new(handler) { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
        Task[] callers = [.. Enumerable.Range(0, 8).Select(_ => CallForEverAsync(client))];
        Ready.When(() => Volatile.Read(ref s_answers) > 20);
        await Task.WhenAll(callers);
    }

    private static async Task CallForEverAsync(HttpClient client)
    {
        while (true)
        {
            await client.GetStringAsync("/stock");
            Interlocked.Increment(ref s_answers);
        }
    }
}
