using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Truth.Children;

namespace Truth.Healthy;

/// <summary>A web server was told to stop, and gives its requests all the time they need: two make long reports, page by page.</summary>
internal static class WebDrainsSlowReport
{
    private static int s_pages;

    public static async Task RunAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Timeout.InfiniteTimeSpan);
        await using WebApplication app = builder.Build();
        app.Urls.Add("http://127.0.0.1:0");
        app.MapGet("/ping", () => "pong");
        app.MapGet("/report", ReportAsync);
        await app.StartAsync();
        Child.Start("child-clients", app.Urls.First(), "/ping", "/report", "2");
        while (Volatile.Read(ref s_pages) < 4)
        {
            await Task.Delay(1);
        }

        Ready.When(() => app.Lifetime.ApplicationStopping.IsCancellationRequested);
        await app.StopAsync();
    }

    private static async Task<int> ReportAsync()
    {
        int sum = 0;
        for (int page = 0; page < 100_000; page++)
        {
            await Task.Delay(50);
            sum += page;
            Interlocked.Increment(ref s_pages);
        }

        return sum;
    }
}
