using System.Threading.Channels;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Hung;

/// <summary>A host was asked to stop; one of its services waits for the next mail, and does not look at the token.</summary>
internal static class HostNeverStops
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Timeout.InfiniteTimeSpan);
        builder.Services.AddHostedService<MailSender>();
        using IHost host = builder.Build();
        IHostApplicationLifetime lifetime = host.Services.GetRequiredService<IHostApplicationLifetime>();
        lifetime.ApplicationStarted.Register(lifetime.StopApplication);
        Ready.WhenStill(() => MailSender.IsStopping);
        await host.RunAsync();
    }

    internal sealed class MailSender : IHostedService
    {
        private readonly Channel<string> _mails = Channel.CreateUnbounded<string>();
        private Task? _loop;

        public static bool IsStopping { get; private set; }

        public Task StartAsync(CancellationToken cancellationToken)
        {
            _loop = Task.Run(SendLoopAsync, CancellationToken.None);
            return Task.CompletedTask;
        }

        public async Task StopAsync(CancellationToken cancellationToken)
        {
            IsStopping = true;
            await _loop!;
        }

        private async Task SendLoopAsync()
        {
            while (true)
            {
                string mail = await _mails.Reader.ReadAsync();
                Console.WriteLine($"sent {mail}");
            }
        }
    }
}
