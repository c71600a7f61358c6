using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Hung;

/// <summary>A service completes its channel and waits, when it is stopped, for its consumer to say that it is empty; the consumer has failed long before.</summary>
internal static class StopAwaitsFailedConsumer
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromHours(1));
        builder.Services.AddHostedService<InvoicePrinter>();
        using IHost host = builder.Build();
        await host.StartAsync();
        await Task.Delay(100);
        Ready.WhenStill(() => InvoicePrinter.IsStopping);
        await host.StopAsync();
    }

    internal sealed class InvoicePrinter : IHostedService
    {
        private readonly Channel<int> _invoices = Channel.CreateUnbounded<int>();
        private readonly TaskCompletionSource _isEmpty = new();
        private Task? _loop;

        public static bool IsStopping { get; private set; }

        public Task StartAsync(CancellationToken cancellationToken)
        {
            _loop = Task.Run(PrintAllAsync, CancellationToken.None);
            _invoices.Writer.TryWrite(0);
            return Task.CompletedTask;
        }

        public async Task StopAsync(CancellationToken cancellationToken)
        {
            _invoices.Writer.Complete();
            IsStopping = true;
            await _isEmpty.Task;
        }

        private async Task PrintAllAsync()
        {
            await foreach (int invoice in _invoices.Reader.ReadAllAsync())
            {
                Console.WriteLine(100 / invoice);
            }

            _isEmpty.SetResult();
        }
    }
}
