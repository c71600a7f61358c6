using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Requests;

/// <summary>What the object says that Kestrel works on a request with: one for a connection, of HTTP/2 and 3 one for a stream.</summary>
/// <remarks>
/// dotnet/aspnetcore: HttpProtocol.cs, HttpProtocol.FeatureCollection.cs, HttpMethod.cs, RouteEndpoint.cs; tried on .NET 8, 9 and 10.
/// </remarks>
internal static class RequestObject
{
    private const string Type = "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Http.HttpProtocol";
    private const int MostRoute = 256;

    // Of RequestProcessingStatus: the headers of the answer are committed; the answer is complete.
    private const int Committed = 4;
    private const int Completed = 6;

    // HttpMethod's first values, in their order; what follows differs between versions.
    private static readonly string[] s_methods = ["GET", "PUT", "DELETE", "POST", "HEAD", "TRACE", "PATCH", "CONNECT", "OPTIONS"];

    public static bool Is(ClrObject found) => StackObjects.Is(found, Type);

    /// <summary>Null for one whose client has its whole answer.</summary>
    public static RequestState? StateOf(ClrObject protocol)
        => IsSet(protocol, "<IsUpgraded>k__BackingField") || IsSet(protocol, "<IsExtendedConnectAccepted>k__BackingField")
            ? RequestState.Upgraded
            : Pool.Fields.Read<int>(protocol, "_requestProcessingStatus").TryGet(out int status) && status >= Committed
                ? status >= Completed ? null : RequestState.Answering
            : RequestState.Unanswered;

    public static string? MethodOf(ClrObject protocol)
        => Pool.Fields.Read<byte>(protocol, "<Method>k__BackingField").TryGet(out byte method) && method < s_methods.Length
            ? s_methods[method]
            : null;

    /// <summary>The same of a request that HttpClient sends: only a method that HTTP defines, whatever the program calls its own.</summary>
    public static string? MethodOfMessage(ClrObject message)
        => message.Reference("_method").Reference("_method") is { IsNull: false } text && text.AsString(MostRoute) is { } name
            && s_methods.Contains(name, StringComparer.Ordinal)
                ? name
                : null;

    /// <summary>The template of the route, as the program's source has it; never the path that was asked for.</summary>
    public static string? RouteOf(ClrObject protocol)
        => protocol.Reference("_endpoint").Reference("<RoutePattern>k__BackingField").Reference("<RawText>k__BackingField") is var text
            && !text.IsNull && text.AsString(MostRoute) is { } template
                ? template.StartsWith('/') ? template : $"/{template}"
                : null;

    /// <summary>When the server last looked at the connection, which it does each second, in Stopwatch ticks; null before that.</summary>
    public static long? LastLook(ClrObject protocol)
        => protocol.Reference("_context").Reference("<TimeoutControl>k__BackingField") is { IsNull: false } control
            && Pool.Fields.Read<long>(control, "_lastTimestamp").TryGet(out long ticks) && ticks > 0
                ? ticks
                : null;

    /// <summary>The server's Date header, which it renews when it looks at its connections; null where it is not known.</summary>
    public static string? DateHeader(ClrObject protocol)
        => protocol.Reference("_context").Reference("<ServiceContext>k__BackingField").Reference("<DateHeaderValueManager>k__BackingField")
            .Reference("_dateValues").Reference("String") is { IsNull: false } text
                ? text.AsString(MostRoute)
                : null;

    private static bool IsSet(ClrObject protocol, string field)
        => protocol.Has(field) && Pool.Fields.Read<bool>(protocol, field).TryGet(out bool value) && value;
}
