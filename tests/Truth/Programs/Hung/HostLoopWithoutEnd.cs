using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Hung;

/// <summary>A host was asked to stop and waits for a background service that looks at a folder again and again, and never at its token.</summary>
internal static class HostLoopWithoutEnd
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Timeout.InfiniteTimeSpan);
        builder.Services.AddHostedService<FolderScanner>();
        using IHost host = builder.Build();
        IHostApplicationLifetime lifetime = host.Services.GetRequiredService<IHostApplicationLifetime>();
        lifetime.ApplicationStarted.Register(() =>
        {
            // A service whose loop has not begun when the stop is asked for is never begun.
            SpinWait.SpinUntil(() => FolderScanner.Rounds > 0);
            lifetime.StopApplication();
        });
        Ready.When(() => FolderScanner.Rounds > 2 && lifetime.ApplicationStopping.IsCancellationRequested);
        await host.RunAsync();
    }

    internal sealed class FolderScanner : BackgroundService
    {
        public static int Rounds { get; private set; }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (true)
            {
                Rounds += Directory.GetFiles(Path.GetTempPath(), "*.order").Length + 1;
                await Task.Delay(200, CancellationToken.None);
            }
        }
    }
}
