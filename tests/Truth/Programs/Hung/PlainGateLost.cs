using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Hung;

/// <summary>A hosted service waits for an async lock around a semaphore without a maximum; a failed posting never disposed of what it got.</summary>
internal static class PlainGateLost
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

    private sealed class AsyncLock
    {
        private readonly SemaphoreSlim _gate = new(1);

        public async Task<IDisposable> LockAsync()
        {
            await _gate.WaitAsync();
            return new Entry(_gate);
        }

        private sealed class Entry(SemaphoreSlim gate) : IDisposable
        {
            public void Dispose() => gate.Release();
        }
    }

    internal sealed class Poster : BackgroundService
    {
        private readonly AsyncLock _lock = new();

        public static bool Failed { get; private set; }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            for (int number = 0; !stoppingToken.IsCancellationRequested; number++)
            {
                try
                {
                    await PostAsync(number);
                }
                catch (InvalidDataException)
                {
                    Failed = true;
                }
            }
        }

        private async Task PostAsync(int number)
        {
            IDisposable entry = await _lock.LockAsync();
            await Task.Delay(20);
            if (number == 3)
            {
                throw new InvalidDataException("no such account");
            }

            entry.Dispose();
        }
    }
}
