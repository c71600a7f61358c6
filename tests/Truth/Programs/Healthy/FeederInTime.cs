using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Healthy;

/// <summary>A service of a host stores what another one reads from meters, now and then.</summary>
internal static class FeederInTime
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<Readings>();
        builder.Services.AddHostedService<MeterFeed>();
        builder.Services.AddHostedService<MeterStore>();
        await builder.Build().RunAsync();
    }

    private sealed class Readings
    {
        private readonly Channel<double> _channel = Channel.CreateBounded<double>(16);

        public ChannelReader<double> Reader => _channel.Reader;

        public ChannelWriter<double> Writer => _channel.Writer;
    }

    private sealed class MeterFeed(Readings readings) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (!stoppingToken.IsCancellationRequested)
            {
                await readings.Writer.WriteAsync(12.5, stoppingToken);
                await Task.Delay(2_000, stoppingToken);
            }
        }
    }

    private sealed class MeterStore(Readings readings) : BackgroundService
    {
        private double _sum;

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            Ready.When(() => Volatile.Read(ref _sum) > 0 && readings.Reader.Count == 0);
            await foreach (double reading in readings.Reader.ReadAllAsync(stoppingToken))
            {
                _sum += reading;
            }
        }
    }
}
