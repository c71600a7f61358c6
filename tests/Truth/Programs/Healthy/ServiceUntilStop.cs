using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Healthy;

/// <summary>A service works by a timer, and awaits a promise that nobody keeps until the host stops it.</summary>
internal static class ServiceUntilStop
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateApplicationBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddHostedService<Beacon>();
        await builder.Build().RunAsync();
    }

    private sealed class Beacon : BackgroundService
    {
        private int _sent;

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await using Timer timer = new(_ => Interlocked.Increment(ref _sent), null, TimeSpan.Zero, TimeSpan.FromMilliseconds(100));
            Ready.When(() => Volatile.Read(ref _sent) > 1);
            await new TaskCompletionSource().Task.WaitAsync(stoppingToken);
        }
    }
}
