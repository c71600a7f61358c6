using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Healthy;

/// <summary>A host was asked to stop and waits for a background service that looks at its token after each batch, and ends a batch that it has begun.</summary>
internal static class HostStopsSlowly
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Timeout.InfiniteTimeSpan);
        builder.Services.AddHostedService<BatchSender>();
        using IHost host = builder.Build();
        IHostApplicationLifetime lifetime = host.Services.GetRequiredService<IHostApplicationLifetime>();
        lifetime.ApplicationStarted.Register(() => _ = StopWhenSendingAsync(lifetime));
        Ready.When(() => BatchSender.Sent > 2 && lifetime.ApplicationStopping.IsCancellationRequested);
        await host.RunAsync();
    }

    // A service that has not begun when the host is asked to stop never does.
    private static async Task StopWhenSendingAsync(IHostApplicationLifetime lifetime)
    {
        while (BatchSender.Sent == 0)
        {
            await Task.Delay(10);
        }

        lifetime.StopApplication();
    }

    internal sealed class BatchSender : BackgroundService
    {
        public static int Sent { get; private set; }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (true)
            {
                await SendBatchAsync();
                stoppingToken.ThrowIfCancellationRequested();
            }
        }

        private static async Task SendBatchAsync()
        {
            for (int letter = 0; letter < 100_000; letter++)
            {
                await Task.Delay(100);
                Sent++;
            }
        }
    }
}
