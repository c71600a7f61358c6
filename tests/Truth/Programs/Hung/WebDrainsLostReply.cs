using System.Collections.Concurrent;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Truth.Children;

namespace Truth.Hung;

/// <summary>A web server was told to stop, and gives its requests all the time they need; two await replies that were thrown away.</summary>
internal static class WebDrainsLostReply
{
    public static async Task RunAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddSingleton<ReplyDesk>();
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = Timeout.InfiniteTimeSpan);
        await using WebApplication app = builder.Build();
        app.Urls.Add("http://127.0.0.1:0");
        app.MapGet("/ping", () => "pong");
        app.MapGet("/quote", (ReplyDesk desk) => desk.AskAsync());
        await app.StartAsync();
        ReplyDesk desk = app.Services.GetRequiredService<ReplyDesk>();
        Child.Start("child-clients", app.Urls.First(), "/ping", "/quote", "2");
        while (desk.Asked < 2)
        {
            await Task.Delay(1);
        }

        desk.Reset();
        Ready.WhenStill(() => app.Lifetime.ApplicationStopping.IsCancellationRequested);
        await app.StopAsync();
    }

    internal sealed class ReplyDesk
    {
        private readonly ConcurrentDictionary<int, TaskCompletionSource<string>> _open = new();
        private int _asked;

        public int Asked => Volatile.Read(ref _asked);

        public async Task<string> AskAsync()
        {
            TaskCompletionSource<string> reply = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _open[_asked] = reply;
            Interlocked.Increment(ref _asked);
            return await reply.Task;
        }

        public void Answer(int id, string text)
        {
            if (_open.TryRemove(id, out TaskCompletionSource<string>? reply))
            {
                reply.SetResult(text);
            }
        }

        public void Reset() => _open.Clear();
    }
}
