using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Healthy;

/// <summary>A hosted service waits until the host is asked to stop, by a promise that a callback of the host's token keeps.</summary>
internal static class SweepAtStop
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddHostedService<NightSweep>();
        builder.Services.AddHostedService<YardClock>();
        using IHost host = builder.Build();
        Ready.When(() => YardClock.Ticks > 2);
        await host.RunAsync();
    }

    internal sealed record SweepOrder(DateTime At);

    internal sealed class NightSweep(IHostApplicationLifetime lifetime) : BackgroundService
    {
        private readonly TaskCompletionSource<SweepOrder> _ordered = new(TaskCreationOptions.RunContinuationsAsynchronously);

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await using CancellationTokenRegistration stopping =
                lifetime.ApplicationStopping.Register(() => _ordered.TrySetResult(new SweepOrder(DateTime.UtcNow)));
            Console.WriteLine($"swept at {(await _ordered.Task).At}");
        }
    }

    internal sealed class YardClock : BackgroundService
    {
        public static int Ticks { get; private set; }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            using PeriodicTimer timer = new(TimeSpan.FromMilliseconds(300));
            while (await timer.WaitForNextTickAsync(stoppingToken))
            {
                Ticks++;
            }
        }
    }
}
