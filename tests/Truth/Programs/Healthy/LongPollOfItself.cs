using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Healthy;

/// <summary>A client polls a web server of the same process, which answers each request after a while.</summary>
internal static class LongPollOfItself
{
    private static int s_requests;

    public static async Task RunAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        WebApplication app = builder.Build();
        app.MapGet("/news", NewsAsync);
        await app.StartAsync();
        using HttpClient client = new() { Timeout = Timeout.InfiniteTimeSpan };
        Ready.WhenStill(() => Volatile.Read(ref s_requests) > 0);
        await PollAsync(client, $"{app.Urls.First()}/news");
    }

    private static async Task<string> NewsAsync(CancellationToken stop)
    {
        Interlocked.Increment(ref s_requests);
        await Task.Delay(TimeSpan.FromSeconds(30), stop);
        return "none";
    }

    private static async Task PollAsync(HttpClient client, string url)
    {
        while (true)
        {
            await client.GetStringAsync(url);
        }
    }
}
