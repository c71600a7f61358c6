using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Truth.Children;

namespace Truth.Healthy;

/// <summary>A host whose service syncs again and again; each request takes its server two seconds, and has the usual timeout.</summary>
internal static class LongRequest
{
    private static int s_syncs;

    public static async Task RunAsync()
    {
        int port = Child.StartServer("child-http", "2000");
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton(new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") });
        builder.Services.AddHostedService<SyncService>();
        using IHost host = builder.Build();
        Ready.When(() => Volatile.Read(ref s_syncs) > 0);
        await host.RunAsync();
    }

    internal sealed class SyncService(HttpClient client) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (!stoppingToken.IsCancellationRequested)
            {
                await client.GetStringAsync("/changes", stoppingToken);
                Interlocked.Increment(ref s_syncs);
            }
        }
    }
}
