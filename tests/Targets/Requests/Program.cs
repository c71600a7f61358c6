using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Requests;

/// <summary>
/// A web service that answers none of its requests, each printed with the time at which it was asked and that at which it came to its
/// method, by the runtime's clock in milliseconds. It serves twice: what is logged decides which times the server notes.
/// </summary>
internal static class Program
{
    private const int Age = 3_000;

    private static readonly object s_gate = new();
    private static readonly TaskCompletionSource s_never = new();
    private static readonly TcpListener s_mute = new(IPAddress.Loopback, 0);
    private static readonly HttpClient s_client = new();
    private static readonly CountdownEvent s_first = new(6);
    private static readonly CountdownEvent s_second = new(8);

    // The time at which the process was stopped, as near as it can tell: what ages are compared with.
    private static long s_now;

    private static async Task Main()
    {
        new Thread(Tick) { IsBackground = true }.Start();
        Hold();
        s_mute.Start();
        using HttpClient own = new() { Timeout = Timeout.InfiniteTimeSpan };
        (string Name, string[] Urls)[] services =
            [("loud", await ServeAsync("loud", LogLevel.Information)), ("quiet", await ServeAsync("quiet", LogLevel.Warning))];
        foreach ((string name, string[] urls) in services)
        {
            Ask(own, $"{name}-orders", HttpMethod.Get, urls[0] + "/orders/4711?secret=4712", HttpVersion.Version11);
            Ask(own, $"{name}-orders", HttpMethod.Get, urls[1] + "/orders/4711", HttpVersion.Version20);
            Ask(own, $"{name}-never4713", HttpMethod.Post, urls[0] + "/never/4713", HttpVersion.Version11);
        }

        s_first.Wait();
        await Task.Delay(Age);
        foreach ((string name, string[] urls) in services)
        {
            Ask(own, $"{name}-never4714", HttpMethod.Post, urls[0] + "/never/4714", HttpVersion.Version11);
            Ask(own, $"{name}-mute", HttpMethod.Get, urls[0] + "/mute", HttpVersion.Version11);
            Ask(own, $"{name}-events", HttpMethod.Get, urls[0] + "/events", HttpVersion.Version11);
            Ask(own, $"{name}-private", HttpMethod.Get, urls[0] + "/private/4711", HttpVersion.Version11);
        }

        s_second.Wait();
        await Task.Delay(Age);
        Console.WriteLine($"READY pid={Environment.ProcessId} runtime={Environment.Version}");
        await s_never.Task;
    }

    // The addresses for HTTP/1.1 and HTTP/2. What a request of HTTP/2 begins with has no async method yet that was suspended.
    private static async Task<string[]> ServeAsync(string name, LogLevel level)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders().AddProvider(new Silent()).SetMinimumLevel(level);
        builder.Services.Configure<KestrelServerOptions>(options =>
        {
            options.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http1);
            options.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
        });
        WebApplication app = builder.Build();
        app.Use(async (context, next) =>
        {
            if (context.Request.Path == $"/{name}/private/4711")
            {
                await NeverAsync(name, "private");
            }

            await next(context);
        });
        app.MapGet($"/{name}/orders/{{id}}", (string id) => Block(name, id));
        app.MapPost($"/{name}/never/{{id:int}}", (int id) => NeverAsync(name, $"never{id}"));
        app.MapGet($"/{name}/mute", () => AskAsync(name));
        app.MapGet($"/{name}/events", context => StreamAsync(name, context));
        await app.StartAsync();
        return [.. app.Urls.Select(url => $"{url}/{name}")];
    }

    private static string Block(string name, string id)
    {
        Say(name, "orders");
        lock (s_gate)
        {
            return id;
        }
    }

    private static async Task<string> NeverAsync(string name, string age)
    {
        Say(name, age);
        await s_never.Task;
        return string.Empty;
    }

    private static async Task<string> AskAsync(string name)
    {
        Say(name, "mute");
        return await s_client.GetStringAsync(new Uri($"http://{s_mute.LocalEndpoint}/4715"));
    }

    private static async Task StreamAsync(string name, HttpContext context)
    {
        Say(name, "events");
        await context.Response.WriteAsync("data: 1\n\n");
        await context.Response.Body.FlushAsync();
        await s_never.Task;
    }

    private static void Ask(HttpClient client, string age, HttpMethod method, string url, Version version)
    {
        Console.WriteLine($"ask={age} start={Environment.TickCount64}");
        HttpRequestMessage request = new(method, url) { Version = version, VersionPolicy = HttpVersionPolicy.RequestVersionExact };
        _ = client.SendAsync(request);
    }

    private static void Hold()
    {
        using ManualResetEventSlim held = new();
        new Thread(() =>
        {
            lock (s_gate)
            {
                held.Set();
                Thread.Sleep(Timeout.Infinite);
            }
        }) { IsBackground = true, Name = "holder" }.Start();
        held.Wait();
    }

    private static void Tick()
    {
        while (true)
        {
            Volatile.Write(ref s_now, Environment.TickCount64);
            Thread.Sleep(1);
        }
    }

    private static void Say(string name, string age)
    {
        Console.WriteLine($"age={name}-{age} start={Environment.TickCount64}");
        (s_first.IsSet ? s_second : s_first).Signal();
    }

    // Hosting notes times only where somebody logs.
    private sealed class Silent : ILoggerProvider, ILogger
    {
        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull
            => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
        }

        public void Dispose()
        {
        }
    }
}
