using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Healthy;

/// <summary>A hosted service asks a desk again and again; another one answers what is open at every tick.</summary>
internal static class HostedReplyByTick
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<AnswerDesk>();
        builder.Services.AddHostedService<Clerk>();
        builder.Services.AddHostedService<OrderImport>();
        using IHost host = builder.Build();
        AnswerDesk desk = host.Services.GetRequiredService<AnswerDesk>();
        Ready.When(() => desk.Answered > 1);
        await host.RunAsync();
    }

    internal sealed class AnswerDesk
    {
        private volatile TaskCompletionSource<int>? _open;

        public int Answered { get; private set; }

        public Task<int> AskAsync()
        {
            TaskCompletionSource<int> question = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _open = question;
            return question.Task;
        }

        public void Answer()
        {
            if (_open is { } question)
            {
                Answered++;
                question.TrySetResult(Answered);
            }
        }
    }

    internal sealed class Clerk(AnswerDesk desk) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            using PeriodicTimer timer = new(TimeSpan.FromMilliseconds(300));
            while (await timer.WaitForNextTickAsync(stoppingToken))
            {
                desk.Answer();
            }
        }
    }

    internal sealed class OrderImport(AnswerDesk desk) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            while (!stoppingToken.IsCancellationRequested)
            {
                await ImportAsync();
            }
        }

        private async Task ImportAsync() => Console.WriteLine(await desk.AskAsync());
    }
}
