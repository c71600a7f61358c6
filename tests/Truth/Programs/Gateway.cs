using System.Net.NetworkInformation;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Truth.Children;
using Yarp.ReverseProxy.Configuration;
using Yarp.ReverseProxy.Forwarder;

namespace Truth;

/// <summary>A gateway (YARP) that five clients ask at the same time for what another server has.</summary>
internal static class Gateway
{
    private const int Clients = 5;

    /// <param name="backend">The port of the other server.</param>
    /// <param name="limit">How long the gateway waits for it; null for its default of 100 s.</param>
    public static async Task RunAsync(int backend, TimeSpan? limit)
    {
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        DestinationConfig destination = new() { Address = $"http://127.0.0.1:{backend}" };
        builder.Services.AddReverseProxy().LoadFromMemory(
            [new RouteConfig { RouteId = "stock", ClusterId = "erp", Match = new RouteMatch { Path = "/{**rest}" } }],
            [new ClusterConfig { ClusterId = "erp", HttpRequest = new ForwarderRequestConfig { ActivityTimeout = limit }, Destinations = new Dictionary<string, DestinationConfig> { ["one"] = destination } }]);
        await using WebApplication app = builder.Build();
        app.MapReverseProxy();
        await app.StartAsync();
        for (int count = 0; count < Clients; count++)
        {
            Child.Start("child-clients", app.Urls.First(), "/stock/first", "/stock/all", "0");
        }

        Ready.WhenStill(() => Connected(backend) == Clients);
        await app.WaitForShutdownAsync();
    }

    private static int Connected(int port)
        => IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpConnections()
            .Count(connection => connection.RemoteEndPoint.Port == port && connection.State == TcpState.Established);
}
