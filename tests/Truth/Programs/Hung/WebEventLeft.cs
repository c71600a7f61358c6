using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Truth.Children;

namespace Truth.Hung;

/// <summary>Requests of a web server wait for an event from which they have taken their handlers away already. The server runs on.</summary>
internal static class WebEventLeft
{
    private static int s_waiting;

    public static async Task RunAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        await using WebApplication app = builder.Build();
        app.Urls.Add("http://127.0.0.1:0");
        Gateway gateway = new();
        app.MapGet("/ping", () => "pong");
        app.MapGet("/pay", () => PayAsync(gateway));
        await app.StartAsync();
        Child.Start("child-clients", app.Urls.First(), "/ping", "/pay", "2");
        Ready.When(() => Volatile.Read(ref s_waiting) == 2);
        Task end = app.WaitForShutdownAsync();
        await end;
        GC.KeepAlive(gateway);
    }

    private static async Task<string> PayAsync(Gateway gateway)
    {
        TaskCompletionSource<int> settled = new(TaskCreationOptions.RunContinuationsAsynchronously);
        gateway.Settled += settled.SetResult;
        await Task.Yield();
        gateway.Settled -= settled.SetResult;
        Interlocked.Increment(ref s_waiting);
        return $"paid {await settled.Task}";
    }

    private sealed class Gateway
    {
        private readonly Timer _timer;
        private int _number;

        public Gateway() => _timer = new Timer(_ => Settled?.Invoke(++_number), null, TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1));

        public event Action<int>? Settled;
    }
}
