namespace HangTriage.Facts.Calls;

/// <summary>The async methods of ASP.NET Core's web server that tell of a stop that waits for requests.</summary>
/// <remarks>dotnet/aspnetcore: KestrelServerImpl.cs, TransportConnectionManager.cs, HttpProtocol.cs; tried on .NET 10.</remarks>
public static class KestrelCalls
{
    private const string Protocol = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol";

    /// <summary>It works on a connection's requests, one after the other.</summary>
    public static bool IsRequest(string method) => method == $"{Protocol}.ProcessRequests";

    /// <summary>The same as a frame: the MoveNext of its state machine.</summary>
    public static bool IsRequestFrame(string method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return method.StartsWith($"{Protocol}+<ProcessRequests>", StringComparison.Ordinal);
    }

    /// <summary>The server's stop. Its type has moved between namespaces.</summary>
    public static bool IsStop(string method) => EndsWith(method, "KestrelServerImpl.StopAsync");

    /// <summary>The server waits until its connections have ended. Its type has moved, too.</summary>
    public static bool IsDrain(string method) => EndsWith(method, "TransportConnectionManager.CloseAllConnectionsAsync");

    private static bool EndsWith(string method, string name)
    {
        ArgumentNullException.ThrowIfNull(method);
        return method.EndsWith(name, StringComparison.Ordinal);
    }
}
