using System.Globalization;
using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace HostedFeed;

/// <summary>
/// Services of a host: one has failed, and one waits for what it wrote; one works by a timer, and one waits for what that writes; one tries
/// again what fails.
/// </summary>
internal static class Program
{
    private static async Task Main()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(
            options => options.BackgroundServiceExceptionBehavior = BackgroundServiceExceptionBehavior.Ignore);
        builder.Services.AddSingleton<Readings>();
        builder.Services.AddSingleton<Prices>();
        builder.Services.AddSingleton<MeterFeed>();
        builder.Services.AddSingleton<Uplink>();
        builder.Services.AddHostedService(services => services.GetRequiredService<MeterFeed>());
        builder.Services.AddHostedService<MeterStore>();
        builder.Services.AddHostedService<PriceFeed>();
        builder.Services.AddHostedService<PriceStore>();
        builder.Services.AddHostedService(services => services.GetRequiredService<Uplink>());
        using IHost host = builder.Build();
        await host.StartAsync();
        MeterFeed feed = host.Services.GetRequiredService<MeterFeed>();
        Uplink uplink = host.Services.GetRequiredService<Uplink>();
        while (feed.ExecuteTask is not { IsFaulted: true } || uplink.Failures < 1)
        {
            await Task.Delay(10);
        }

        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        await host.WaitForShutdownAsync();
    }

    private sealed class Readings
    {
        private readonly Channel<double> _channel = Channel.CreateBounded<double>(16);

        public ChannelReader<double> Reader => _channel.Reader;

        public ChannelWriter<double> Writer => _channel.Writer;
    }

    private sealed class Prices
    {
        public Channel<double> Queue { get; } = Channel.CreateBounded<double>(16);
    }

    private sealed class MeterFeed(Readings readings) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await Task.Delay(10, stoppingToken);
            await readings.Writer.WriteAsync(double.Parse("n/a", CultureInfo.InvariantCulture), stoppingToken);
        }
    }

    private sealed class MeterStore(Readings readings) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await foreach (double reading in readings.Reader.ReadAllAsync(stoppingToken))
            {
                Console.WriteLine(reading);
            }
        }
    }

    private sealed class PriceFeed(Prices prices) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (!stoppingToken.IsCancellationRequested)
            {
                await Task.Delay(TimeSpan.FromHours(1), stoppingToken);
                await prices.Queue.Writer.WriteAsync(1.5, stoppingToken);
            }
        }
    }

    private sealed class PriceStore(Prices prices) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await foreach (double price in prices.Queue.Reader.ReadAllAsync(stoppingToken))
            {
                Console.WriteLine(price);
            }
        }
    }

    private sealed class Uplink : BackgroundService
    {
        private volatile int _failures;

        public int Failures => _failures;

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (!stoppingToken.IsCancellationRequested)
            {
                try
                {
                    await SendAsync();
                }
                catch (TimeoutException e)
                {
                    _failures += e.Message.Length > 0 ? 1 : 0;
                    await Task.Delay(TimeSpan.FromHours(1), stoppingToken);
                }
            }
        }

        private static async Task SendAsync()
        {
            await Task.Yield();
            throw new TimeoutException("no answer");
        }
    }
}
