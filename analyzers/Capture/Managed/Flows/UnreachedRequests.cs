using HangTriage.Facts;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Requests of a web server that nobody can resume: nothing leads to them but what they wait for, since the server keeps the promises of
/// its connections and not the connections. Their clients wait for them all the same, and so does the server's stop.
/// </summary>
/// <remarks>dotnet/aspnetcore: ConnectionReference.cs, TransportConnectionManager.cs, HttpProtocol.cs; tried on .NET 10.</remarks>
internal static class UnreachedRequests
{
    /// <summary>The roots, with one of unknown kind for each such request.</summary>
    /// <param name="flows">The suspended flows.</param>
    /// <param name="roots">What keeps each of them alive; null where nothing does.</param>
    /// <param name="chains">Says who awaits them.</param>
    public static IReadOnlyList<RootOf?> Keep(IReadOnlyList<FlowBox> flows, IReadOnlyList<RootOf?> roots, FlowChains chains)
        => roots.All(root => root is not null) || !flows.Any(IsRequest) ? roots
            : [.. roots.Select((root, index) => root ?? (chains.Of(flows[index], out _).Prepend(flows[index]).Any(IsRequest) ? new RootOf(FlowRoot.Unknown) : null))];

    private static bool IsRequest(FlowBox flow) => flow.Method is { } method && KestrelCalls.IsRequest(method.Name);
}
