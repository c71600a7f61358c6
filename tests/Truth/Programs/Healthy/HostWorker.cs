using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Healthy;

/// <summary>A generic host with a background service that looks every 200 ms.</summary>
internal static class HostWorker
{
    private static int s_looks;

    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddHostedService<Sweeper>();
        using IHost host = builder.Build();
        Ready.When(() => Volatile.Read(ref s_looks) > 2);
        await host.RunAsync();
    }

    internal sealed class Sweeper : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            using PeriodicTimer timer = new(TimeSpan.FromMilliseconds(200));
            while (await timer.WaitForNextTickAsync(stoppingToken))
            {
                Interlocked.Increment(ref s_looks);
            }
        }
    }
}
