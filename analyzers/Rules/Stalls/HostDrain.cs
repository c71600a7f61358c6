using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Stalls;

/// <summary>A web server that was asked to stop and waits until the requests that it has begun have ended.</summary>
/// <remarks>dotnet/aspnetcore: KestrelServerImpl.cs, TransportConnectionManager.cs, HttpProtocol.cs; tried on .NET 10.</remarks>
internal static class HostDrain
{
    private const string Server = "Microsoft.AspNetCore.Server.Kestrel.Core.";
    private const string Requests = Server + "Internal.Http.HttpProtocol.ProcessRequests";
    private const string RequestFrame = Server + "Internal.Http.HttpProtocol+<ProcessRequests>";

    // Both types have moved between namespaces.
    private const string ServerStops = "KestrelServerImpl.StopAsync";
    private const string Drains = "TransportConnectionManager.CloseAllConnectionsAsync";

    /// <summary>The server waits for its connections, and no time is set after which it drops them.</summary>
    public static bool IsUnderWay(RuleContext context)
        => !HostStage.HasTimeForStop(context)
            && context.Flows.Groups.Any(group => group.State == FlowState.Suspended
                && group.AwaitedBy.Append(group.Method).Any(method => method.EndsWith(Drains, StringComparison.Ordinal))
                && group.AwaitedBy.Any(method => method.EndsWith(ServerStops, StringComparison.Ordinal)));

    /// <summary>The async method in which a request is suspended that nothing is seen to end; null where there is none.</summary>
    public static FlowGroup? Request(RuleContext context)
        => IsUnderWay(context) ? HostFlows.End(context, [.. context.Flows.Groups.Where(group => group.AwaitedBy.Contains(Requests))], behindInput: true) : null;

    /// <summary>The frame of a request that is worked on.</summary>
    public static bool IsRequest(string method) => method.StartsWith(RequestFrame, StringComparison.Ordinal);
}
