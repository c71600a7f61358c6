using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Hung;

/// <summary>A hosted service waits for a gate that a failed posting never gave back; all its waits take the token that stops the host.</summary>
internal static class HostedGateLost
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddHostedService<Poster>();
        using IHost host = builder.Build();
        Ready.WhenStill(() => Poster.Failed);
        await host.RunAsync();
    }

    internal sealed class Poster : BackgroundService
    {
        private readonly SemaphoreSlim _gate = new(1, 1);

        public static bool Failed { get; private set; }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            for (int number = 0; !stoppingToken.IsCancellationRequested; number++)
            {
                try
                {
                    await PostAsync(number, stoppingToken);
                }
                catch (InvalidDataException)
                {
                    Failed = true;
                }
            }
        }

        private async Task PostAsync(int number, CancellationToken stop)
        {
            await _gate.WaitAsync(stop);
            await Task.Delay(20, stop);
            if (number == 3)
            {
                throw new InvalidDataException("no such account");
            }

            _gate.Release();
        }
    }
}
