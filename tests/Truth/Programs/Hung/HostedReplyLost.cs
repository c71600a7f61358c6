using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Hung;

/// <summary>A hosted service waits for the answer to a question that was dropped; another, which has nothing to do with it, works at every tick.</summary>
internal static class HostedReplyLost
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<AnswerDesk>();
        builder.Services.AddHostedService<PriceClock>();
        builder.Services.AddHostedService<OrderImport>();
        using IHost host = builder.Build();
        AnswerDesk desk = host.Services.GetRequiredService<AnswerDesk>();
        Ready.When(() => desk.Dropped > 0 && PriceClock.Ticks > 1);
        await host.RunAsync();
    }

    internal sealed class AnswerDesk
    {
        private TaskCompletionSource<int>? _open;

        public int Dropped { get; private set; }

        public Task<int> AskAsync(string question)
        {
            _open = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
            if (question.Length == 0)
            {
                _open.SetResult(0);
            }

            Dropped++;
            return _open.Task;
        }
    }

    internal sealed class PriceClock : BackgroundService
    {
        public static int Ticks { get; private set; }

        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            using PeriodicTimer timer = new(TimeSpan.FromMilliseconds(300));
            while (await timer.WaitForNextTickAsync(stoppingToken))
            {
                Ticks++;
            }
        }
    }

    internal sealed class OrderImport(AnswerDesk desk) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await Task.Yield();
            await ImportAsync();
        }

        private async Task ImportAsync() => Console.WriteLine(await desk.AskAsync("how many?"));
    }
}
