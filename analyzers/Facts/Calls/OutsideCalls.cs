using static HangTriage.Facts.Calls.OutsideEnd;
using static HangTriage.Facts.Calls.OutsideWait;

namespace HangTriage.Facts.Calls;

/// <summary>
/// The methods of .NET, and of clients in common use, that block a thread until something outside the process happens. They are
/// those that stay on the stack on Linux and Windows alike, whatever is inlined. Where one calls another, the outermost tells most.
/// </summary>
public static class OutsideCalls
{
    private const string Sockets = "dotnet/runtime: Socket.cs, SocketAsyncContext.Unix.cs; tried on .NET 8, 9 and 10";
    private const string Http = "dotnet/runtime: HttpClient.cs, SocketsHttpHandler.cs, HttpWebRequest.cs, FtpWebRequest.cs, SmtpClient.cs";
    private const string Processes = "dotnet/runtime: Process.cs, ProcessWaitState.Unix.cs; tried on .NET 8, 9 and 10";
    private const string Pipes = "dotnet/runtime: PipeStream.Unix.cs and PipeStream.Windows.cs; tried on .NET 8, 9 and 10";
    private const string Consoles = "dotnet/runtime: ConsolePal.Unix.cs, ConsolePal.Windows.cs; tried on .NET 8, 9 and 10";
    private const string Files = "dotnet/runtime: RandomAccess.cs, SafeFileHandle.Unix.cs; tried on .NET 8, 9 and 10";
    private const string Clients = "the sources of Npgsql 10.0, SqlClient 6.1, MySqlConnector, Microsoft.Data.Sqlite 10.0, RabbitMQ.Client 6.4, StackExchange.Redis, Grpc.Net.Client, MongoDB.Driver 3, Lucene.Net 4.8";

    private const string Untried = "the sources of these libraries, not tried";

    // {0} stands for the other side.
    private const string Connection = "a connection to {0}";
    private const string Room = "{0} to read what it sends";
    private const string Reader = "the reader of its output";

    public static CallTable Table { get; } = new(
    [
        .. Of("System.Net.Sockets.Socket", Server, Answer, Sockets, "Connect", "DoConnect").Select(row => row with { Title = Connection }),
        .. Of("System.Net.Sockets.Socket", Server, Answer, Sockets, "Send", "SendTo", "SendFile").Select(row => row with { Title = Room }),
        .. Of("System.Net.Sockets.Socket", Server, Data, Sockets, "Receive"),
        // A datagram can come from anybody; Poll and Select are the loops of servers.
        .. Of("System.Net.Sockets.Socket", Client, Idle, Sockets, "Accept", "ReceiveFrom", "ReceiveMessageFrom", "Poll", "Select"),
        Part("System.Net.Sockets.SocketAsyncContext", "PerformSyncOperation", Server, Data, Sockets),
        // What optimised code leaves of a read of a stream whose socket has a timeout.
        Part("System.Net.Sockets.SocketAsyncContext", "Receive", Server, Data, Sockets),
        .. Of("System.Net.Security.SslStream", Server, Answer, Sockets, "AuthenticateAsClient").Select(row => row with { Title = "the TLS handshake of {0}" }),
        .. Of("System.Net.Security.SslStream", Client, Idle, Sockets, "AuthenticateAsServer"),
        .. Of("System.Net.HttpListener", Client, Idle, Http, "GetContext", "EndGetContext"),
        .. Of("System.Net.Http.HttpClient", Server, Answer, Http, "Send"),
        .. Of("System.Net.Http.SocketsHttpHandler", Server, Answer, Http, "Send"),
        // Methods of tasks: what blocks on such a task waits for the same.
        .. Of("System.Net.Http.HttpConnection", Server, Answer, Http, "SendAsync"),
        .. Of("System.Net.Http.HttpClient", Server, Answer, Http, "GetStringAsyncCore", "GetByteArrayAsyncCore"),
        .. Of("System.Net.HttpWebRequest", Server, Answer, Http, "GetResponse", "GetRequestStream"),
        .. Of("System.Net.FtpWebRequest", Server, Answer, Http, "GetResponse", "GetRequestStream"),
        .. Of("System.Net.Mail.SmtpClient", Server, Answer, Http, "Send"),
        // GetHostAddresses, GetHostEntry and what they are made of.
        Part("System.Net.Dns", "GetHost", Server, Answer, "dotnet/runtime: Dns.cs") with { Title = "the name service" },
        .. Of("System.Diagnostics.Process", ChildProcess, Idle, Processes, "WaitForExit", "WaitForExitCore"),
        .. Of("System.Diagnostics.ProcessWaitState", ChildProcess, Idle, Processes, "WaitForExit"),
        .. Of("System.IO.Pipes.PipeStream", Pipe, Data, Pipes, "ReadCore", "Read"),
        .. Of("System.IO.Pipes.PipeStream", Pipe, Answer, Pipes, "WriteCore", "Write", "WaitForPipeDrain").Select(row => row with { Title = Room }),
        .. Of("System.IO.Pipes.NamedPipeServerStream", Client, Idle, Pipes, "WaitForConnection"),
        .. Of("System.IO.Pipes.NamedPipeClientStream", Pipe, Answer, Pipes, "Connect", "ConnectInternal").Select(row => row with { Title = "the server of a named pipe" }),
        Part("System.ConsolePal", "Read", Person, Idle, Consoles),
        Part("System.Console", "Read", Person, Idle, Consoles),
        Part("System.IO.StdInReader", "Read", Person, Idle, Consoles),
        .. Of("System.IO.ConsoleStream", Person, Idle, Consoles, "Read"),
        Part("System.ConsolePal+WindowsConsoleStream", "Read", Person, Idle, Consoles),
        // What optimised code leaves of Console.ReadLine and of a read of the console's stream.
        Part("System.ConsolePal+UnixConsoleStream", "Read", Person, Idle, Consoles),
        Part("System.IO.SyncTextReader", "Read", Person, Idle, Consoles),
        Part("System.ConsolePal", "Write", Pipe, Moment, Consoles) with { Title = Reader },
        .. Of("System.IO.ConsoleStream", Pipe, Moment, Consoles, "Write").Select(row => row with { Title = Reader }),
        Part("System.ConsolePal+WindowsConsoleStream", "Write", Pipe, Moment, Consoles) with { Title = Reader },
        Part("System.ConsolePal+UnixConsoleStream", "Write", Pipe, Moment, Consoles) with { Title = Reader },
        .. Of("System.IO.RandomAccess", OutsideEnd.File, Moment, Files, "ReadAtOffset", "WriteAtOffset", "ReadScatterAtOffset", "WriteGatherAtOffset", "FlushToDisk"),
        .. Of("Microsoft.Win32.SafeHandles.SafeFileHandle", OutsideEnd.File, Moment, Files, "Open"),
        Part("Npgsql.NpgsqlCommand", "Execute", Server, Answer, Clients),
        .. Of("Npgsql.NpgsqlConnection", Server, Answer, Clients, "Open"),
        Part("Npgsql.Internal.NpgsqlConnector", "ReadMessage", Server, Answer, Clients),
        Part("Microsoft.Data.SqlClient.TdsParserStateObject", "ReadSni", Server, Answer, Clients),
        Part("System.Data.SqlClient.TdsParserStateObject", "ReadSni", Server, Answer, Clients),
        Part("MySqlConnector.MySqlCommand", "Execute", Server, Answer, Clients),
        .. Of("MySqlConnector.MySqlConnection", Server, Answer, Clients, "Open"),
        // It sleeps and tries again while another connection has the database.
        .. Of("Microsoft.Data.Sqlite.SqliteDataReader", OutsideEnd.File, Moment, Clients, "NextResult").Select(row => row with { Title = "the lock of a SQLite database" }),
        // A generic type: the name of its method comes behind what it is made of.
        Part("RabbitMQ.Util", "BlockingCell", Server, Answer, Clients),
        .. Of("RabbitMQ.Client.Framing.Impl.Connection", Server, Idle, Clients, "MainLoop"),
        // Known by their sources; none of them could be tried.
        Part("MySql.Data.MySqlClient.MySqlCommand", "Execute", Server, Answer, Untried),
        Part("Oracle.ManagedDataAccess.Client.OracleCommand", "Execute", Server, Answer, Untried),
        // It waits until the driver's own threads have found a server.
        .. Of("MongoDB.Driver.Core.Clusters.Cluster", Server, Answer, Clients, "SelectServer"),
        .. Of("Lucene.Net.Store.Lock", OutsideEnd.File, Moment, Clients, "Obtain").Select(row => row with { Title = "the lock of an index" }),
        Part("MongoDB.Driver.Core.Connections.BinaryConnection", "ReceiveMessage", Server, Answer, Untried),
        .. Of("Confluent.Kafka.Impl.SafeKafkaHandle", Server, Idle, Untried, "ConsumerPoll"),
        .. Of("Confluent.Kafka.Impl.SafeKafkaHandle", Server, Answer, Untried, "CommitSync", "QueryWatermarkOffsets"),
        // With a token it naps a tenth of a second at a time, and asks again.
        .. Of("Confluent.Kafka.Impl.SafeKafkaHandle", Server, Answer, Clients, "Flush").Select(row => row with { IsTriedAgain = true }),
        Part("MailKit.Net.Smtp.SmtpClient", "Connect", Server, Answer, Untried),
        Part("MailKit.Net.Smtp.SmtpClient", "Send", Server, Answer, Untried),
        Part("MailKit.Net.Imap.ImapClient", "Connect", Server, Answer, Untried),
        .. Of("MailKit.Net.Imap.ImapClient", Server, Idle, Untried, "Idle"),
        .. Of("FluentFTP.FtpClient", Server, Answer, Untried, "Connect", "GetReply", "Execute"),
        .. Of("Renci.SshNet.Session", Server, Answer, Untried, "WaitOnHandle", "Connect"),
        .. Of("System.DirectoryServices.Protocols.LdapConnection", Server, Answer, Untried, "SendRequest", "Bind"),
        .. Of("System.Net.NetworkInformation.Ping", Server, Moment, Untried, "Send", "SendPingCore"),
        .. Of("System.IO.Ports.SerialPort", OutsideEnd.File, Data, Untried, "Read", "ReadLine", "ReadTo", "ReadByte", "ReadChar"),
        .. Of("System.IO.Ports.SerialPort", OutsideEnd.File, Answer, Untried, "Write", "WriteLine"),
        .. Of("System.IO.FileSystemWatcher", OutsideEnd.File, Idle, Untried, "WaitForChanged"),
        Part("StackExchange.Redis.ConnectionMultiplexer", "ExecuteSync", Server, Answer, Clients),
        Part("Grpc.Net.Client.Internal.HttpClientCallInvoker", "BlockingUnaryCall", Server, Answer, Clients),
    ]);

    /// <summary>The row of a method by its full name, with or without its signature; null for others.</summary>
    public static KnownCall? Find(string? method) => method is null ? null : Table.Find(CallNames.WithoutSignature(method));

    /// <summary>The same for the async twin of a method: "AcceptAsync", "AcceptTcpClientAsync".</summary>
    public static KnownCall? FindTask(string? method)
    {
        const string Async = "Async";
        string? name = method is null ? null : CallNames.WithoutSignature(method);
        return name is null ? null
            : Find(name) ?? (name.EndsWith(Async, StringComparison.Ordinal) ? Table.Find(name[..^Async.Length]) : null);
    }

    private static IEnumerable<KnownCall> Of(string type, OutsideEnd end, OutsideWait awaits, string source, params string[] names)
        => names.Select(name => Row(type, name, end, awaits, source));

    private static KnownCall Part(string type, string name, OutsideEnd end, OutsideWait awaits, string source)
        => Row(type, name, end, awaits, source) with { IsPrefix = true };

    private static KnownCall Row(string type, string name, OutsideEnd end, OutsideWait awaits, string source)
        => new(name, CallMeaning.WaitsForOutside, source) { Type = type, Outside = end, Awaits = awaits };
}
