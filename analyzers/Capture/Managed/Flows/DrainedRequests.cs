using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Requests that a web server waits for while it stops, and that nobody can resume: nothing leads to them but what they wait for, since
/// the server keeps the connections' promises and not the connections.
/// </summary>
/// <remarks>dotnet/aspnetcore: ConnectionReference.cs, TransportConnectionManager.cs, HttpProtocol.cs; tried on .NET 10.</remarks>
internal static class DrainedRequests
{
    /// <summary>The roots, with one of unknown kind for each such request.</summary>
    /// <param name="flows">The suspended flows.</param>
    /// <param name="roots">What keeps each of them alive; null where nothing does.</param>
    /// <param name="chains">Says who awaits them.</param>
    public static IReadOnlyList<RootOf?> Keep(IReadOnlyList<FlowBox> flows, IReadOnlyList<RootOf?> roots, FlowChains chains)
        => roots.All(root => root is not null) || !flows.Any(flow => flow.Method is { } method && KestrelCalls.IsDrain(method.Name)) ? roots
            : [.. roots.Select((root, index) => root ?? (IsForRequest(flows[index], chains) ? new RootOf(FlowRoot.Unknown) : null))];

    private static bool IsForRequest(FlowBox flow, FlowChains chains)
        => chains.Of(flow, out _).Any(caller => caller.Method is { } method && KestrelCalls.IsRequest(method.Name));
}
