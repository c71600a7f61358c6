using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Healthy;

/// <summary>A hosted service waits for the next item of a queue whose semaphore, without a maximum, counts the items.</summary>
internal static class PlainSignal
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<Mails>().AddHostedService<Mailer>();
        using IHost host = builder.Build();
        Mails mails = host.Services.GetRequiredService<Mails>();
        mails.Add("first");
        Ready.WhenStill(() => Mailer.Sent == 1);
        await host.RunAsync();
    }

    internal sealed class Mails : IDisposable
    {
        private readonly SemaphoreSlim _count = new(0);
        private readonly ConcurrentQueue<string> _items = new();

        public void Add(string mail)
        {
            _items.Enqueue(mail);
            _count.Release();
        }

        public async Task<string> TakeAsync()
        {
            await _count.WaitAsync();
            return _items.TryDequeue(out string? mail) ? mail : string.Empty;
        }

        public void Dispose() => _count.Dispose();
    }

    internal sealed class Mailer(Mails mails) : BackgroundService
    {
        public static int Sent { get; private set; }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (!stoppingToken.IsCancellationRequested)
            {
                Console.WriteLine(await mails.TakeAsync());
                Sent++;
            }
        }
    }
}
