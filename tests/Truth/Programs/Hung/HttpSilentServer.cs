using Truth.Children;

namespace Truth.Hung;

/// <summary>Five requests, without a timeout, to a server that takes them and never answers.</summary>
internal static class HttpSilentServer
{
    public static async Task RunAsync()
    {
        int port = Child.StartServer("child-silent");
        PriceClient prices = new(port);
        Task<string>[] requests = [.. new[] { "ham", "eggs", "tea", "milk", "salt" }.Select(prices.FetchAsync)];
        Ready.WhenStill(() => Connected(port) == requests.Length);
        Console.WriteLine((await Task.WhenAll(requests)).Length);
    }

    // Each request has a connection of its own, and has been sent on it.
    private static int Connected(int port)
        => System.Net.NetworkInformation.IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpConnections()
            .Count(connection => connection.RemoteEndPoint.Port == port && connection.State == System.Net.NetworkInformation.TcpState.Established);

    private sealed class PriceClient(int port)
    {
        private readonly HttpClient _http = new() { BaseAddress = new Uri($"http://127.0.0.1:{port}"), Timeout = Timeout.InfiniteTimeSpan };

        public async Task<string> FetchAsync(string article)
        {
            string price = await _http.GetStringAsync($"/prices/{article}");
            return $"{article}: {price}";
        }
    }
}
