using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.Logging;
using Truth.Children;

namespace Truth.Healthy;

/// <summary>A web server that has answered, and waits for the next request.</summary>
internal static class WebIdle
{
    private static int s_answered;

    public static void Run()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        WebApplication app = builder.Build();
        app.Urls.Add("http://127.0.0.1:0");
        app.MapGet("/{name}", async (string name) =>
        {
            await Task.Delay(10);
            Interlocked.Increment(ref s_answered);
            return $"hello {name}";
        });
        app.Lifetime.ApplicationStarted.Register(() => Child.Start("child-clients", app.Urls.First(), "/ada", "/bob", "8"));
        Ready.WhenStill(() => Volatile.Read(ref s_answered) == 9);
        app.Run();
    }
}
