namespace HangTriage.Facts.Calls;

/// <summary>A call on a stack that waits for something outside the process.</summary>
/// <param name="Row">What is known of it.</param>
/// <param name="Frame">The outermost method of .NET or of a client that is known to wait.</param>
/// <param name="Caller">The program's own code that made it; null where the stack has none.</param>
/// <param name="Depth">How many frames lie above <paramref name="Caller"/>.</param>
public sealed record OutsideCall(KnownCall Row, FrameFacts Frame, FrameFacts? Caller, int Depth)
{
    // Libraries that programs talk to servers with: what calls them is the program.
    private static readonly string[] s_clients =
    [
        "Npgsql.", "MySqlConnector.", "MySql.Data.", "Oracle.ManagedDataAccess.", "Dapper.", "RabbitMQ.", "StackExchange.Redis.",
        "Grpc.", "MongoDB.", "Confluent.Kafka.", "MailKit.", "MimeKit.", "Renci.SshNet.", "FluentFTP.", "RestSharp.", "Azure.", "Amazon.",
        "MQTTnet.", "NATS.", "MassTransit.", "Refit.", "Flurl.", "Polly.", "FirebirdSql.", "Elastic.", "Nest.", "Enyim.", "Novell.Directory.Ldap.",
        "EasyNetQ.", "Minio.", "Pipelines.Sockets.", "DnsClient.", "Docker.DotNet.", "Microsoft.Net.Http.Client.",
    ];

    private const string ReceiveFrom = "ReceiveFrom";

    // Servers wait for the next datagram of anybody; a client for that of the server it has asked.
    private static readonly KnownCall s_receive = OutsideCalls.Table.Find("System.Net.Sockets.Socket", "Receive")!;

    /// <summary>
    /// The call that a stack ends in, innermost frame first; null where it ends in none. Code of the program's own on top of it
    /// has been called back, and waits for something else.
    /// </summary>
    public static OutsideCall? In(IReadOnlyList<FrameFacts> frames)
    {
        ArgumentNullException.ThrowIfNull(frames);
        (KnownCall Row, FrameFacts Frame)? outermost = null;
        for (int depth = 0; depth < frames.Count; depth++)
        {
            FrameFacts frame = frames[depth];
            if (frame.Kind != FrameKind.Managed || frame.Method is not { } method)
            {
                continue;
            }

            if (OutsideCalls.Find(method) is { } row)
            {
                outermost = (row, frame);
            }
            else if (IsOfClient(method))
            {
                bool asks = outermost is { Row.Name: ReceiveFrom } && !Frameworks.IsOwn(method);
                outermost = asks ? (s_receive, outermost!.Value.Frame) : outermost;
            }
            else
            {
                return outermost is { } call ? new OutsideCall(call.Row, call.Frame, frame, depth) : null;
            }
        }

        return outermost is { } last ? new OutsideCall(last.Row, last.Frame, null, frames.Count) : null;
    }

    // The others talk to no server by themselves, or need not.
    private static readonly string[] s_withServer = [.. s_clients.Except(["MassTransit.", "Polly.", "Dapper."])];

    /// <summary>The beginning of the names of the library that a method is of, where programs talk to servers with it; null for others.</summary>
    public static string? ClientOf(string method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return Array.Find(s_withServer, prefix => method.StartsWith(prefix, StringComparison.Ordinal));
    }

    /// <summary>A type or method of .NET, or of a library that programs talk to servers with.</summary>
    public static bool IsOfClient(string method)
    {
        ArgumentNullException.ThrowIfNull(method);
        return Frameworks.IsOwn(method) || Array.Exists(s_clients, prefix => method.StartsWith(prefix, StringComparison.Ordinal));
    }
}
