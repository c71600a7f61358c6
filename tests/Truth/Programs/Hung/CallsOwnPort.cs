using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Truth.Hung;

/// <summary>A handler holds the one turn of its server and calls that server, where the handler of the call waits for the turn.</summary>
internal static class CallsOwnPort
{
    public static async Task RunAsync()
    {
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddSingleton<OneAtATime>();
        WebApplication app = builder.Build();
        using HttpClient client = new() { Timeout = Timeout.InfiniteTimeSpan };
        int asked = 0;
        app.MapGet("/stock", (OneAtATime turn) =>
        {
            Interlocked.Increment(ref asked);
            return turn.RunAsync(() => Task.FromResult("7"));
        });
        app.MapGet("/order", (OneAtATime turn) => turn.RunAsync(() => client.GetStringAsync(app.Urls.First() + "/stock")));
        await app.StartAsync();
        Task<string> order = client.GetStringAsync(app.Urls.First() + "/order");
        Ready.WhenStill(() => Volatile.Read(ref asked) == 1 && !order.IsCompleted);
        Console.WriteLine(await order);
    }

    private sealed class OneAtATime
    {
        private readonly SemaphoreSlim _turn = new(1, 1);

        public async Task<string> RunAsync(Func<Task<string>> work)
        {
            await _turn.WaitAsync();
            try
            {
                return await work();
            }
            finally
            {
                _turn.Release();
            }
        }
    }
}
