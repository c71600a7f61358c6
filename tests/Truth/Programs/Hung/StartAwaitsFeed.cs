using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Hung;

/// <summary>A host does not start: its service waits for the first rate of a feed that nobody writes to, with the token of the start.</summary>
internal static class StartAwaitsFeed
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddHostedService<Rates>();
        using IHost host = builder.Build();
        Ready.WhenStill(() => Rates.IsStarting);
        await host.RunAsync();
    }

    internal sealed class Rates : IHostedService
    {
        private readonly Channel<decimal> _feed = Channel.CreateUnbounded<decimal>();

        public static bool IsStarting { get; private set; }

        public async Task StartAsync(CancellationToken cancellationToken)
        {
            IsStarting = true;
            decimal first = await _feed.Reader.ReadAsync(cancellationToken);
            Console.WriteLine(first);
        }

        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
