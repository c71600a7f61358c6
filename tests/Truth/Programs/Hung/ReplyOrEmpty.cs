using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Truth.Hung;

/// <summary>
/// A hosted service asks for a weight, and gets an empty answer where the host stops first. The answer came under another number, and is
/// dropped.
/// </summary>
internal static class ReplyOrEmpty
{
    public static async Task RunAsync()
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<Scales>();
        builder.Services.AddHostedService<Loading>();
        using IHost host = builder.Build();
        Scales scales = host.Services.GetRequiredService<Scales>();
        Ready.When(() => scales.Dropped > 0);
        await host.RunAsync();
    }

    internal sealed record Weight(int Kilograms);

    internal sealed class Scales
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<Weight>> _open = new();
        private int _last;

        public int Dropped { get; private set; }

        public async Task<Weight> WeighAsync(CancellationToken token)
        {
            int number = ++_last;
            TaskCompletionSource<Weight> answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _open[number] = answer;
            await using CancellationTokenRegistration stopped = token.Register(() => answer.TrySetResult(new Weight(0)));
            Answer(number + 1, new Weight(740));
            return await answer.Task;
        }

        private void Answer(int number, Weight weight)
        {
            if (_open.TryRemove(number, out TaskCompletionSource<Weight>? answer))
            {
                answer.TrySetResult(weight);
            }
            else
            {
                Dropped++;
            }
        }
    }

    internal sealed class Loading(Scales scales) : BackgroundService
    {
        protected override async Task ExecuteAsync(CancellationToken stoppingToken)
        {
            await Task.Yield();
            Console.WriteLine($"loaded {(await scales.WeighAsync(stoppingToken)).Kilograms} kg");
        }
    }
}
