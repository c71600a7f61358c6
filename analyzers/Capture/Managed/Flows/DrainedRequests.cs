namespace HangTriage.Capture.Managed.Flows;

/// <summary>
/// Requests that a web server waits for while it stops, and that nobody can resume: nothing leads to them but what they wait for, since
/// the server keeps the connections' promises and not the connections.
/// </summary>
/// <remarks>dotnet/aspnetcore: ConnectionReference.cs, TransportConnectionManager.cs, HttpProtocol.cs; tried on .NET 10.</remarks>
internal static class DrainedRequests
{
    private const string Drain = "TransportConnectionManager.CloseAllConnectionsAsync";
    private const string Request = "Kestrel.Core.Internal.Http.HttpProtocol.ProcessRequests";

    /// <summary>The roots, with one of unknown kind for each such request.</summary>
    /// <param name="flows">The suspended flows.</param>
    /// <param name="roots">What keeps each of them alive; null where nothing does.</param>
    /// <param name="chains">Says who awaits them.</param>
    public static IReadOnlyList<RootOf?> Keep(IReadOnlyList<FlowBox> flows, IReadOnlyList<RootOf?> roots, FlowChains chains)
        => roots.All(root => root is not null) || !flows.Any(flow => IsOf(flow, Drain)) ? roots
            : [.. roots.Select((root, index) => root ?? (chains.Of(flows[index], out _).Any(caller => IsOf(caller, Request)) ? new RootOf(Facts.FlowRoot.Unknown) : null))];

    private static bool IsOf(FlowBox flow, string method) => flow.Method?.Name.EndsWith(method, StringComparison.Ordinal) == true;
}
