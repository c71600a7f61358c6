namespace HangTriage.Facts.Calls;

/// <summary>The waits that are idling by design: a thread in one of them says nothing against the health of its process.</summary>
public static class IdleCalls
{
    private const string Hosting = "dotnet/runtime: HostingAbstractionsHostExtensions.cs; dotnet/aspnetcore: WebApplication.cs, WebHostExtensions.cs";
    private const string ConsoleInput = "dotnet/runtime: Console.cs, ConsolePal.*.cs, StdInReader.cs";
    private const string Listeners = "dotnet/runtime: Socket.cs, TcpListener.cs, HttpListener.cs, NamedPipeServerStream.*.cs";
    private const string Queues = "dotnet/runtime: BlockingCollection.cs";

    private const string UntilStop = "waits until the host is asked to stop";
    private const string ForPerson = "waits for a person's input";
    private const string ForPeer = "waits for the next connection";
    private const string ForWork = "waits for the next item of its queue";

    public static IReadOnlyList<IdleCall> Rows { get; } =
    [
        new("Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions", "Run", UntilStop, Hosting),
        new("Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions", "WaitForShutdown", UntilStop, Hosting),
        new("Microsoft.AspNetCore.Builder.WebApplication", "Run", UntilStop, Hosting),
        new("Microsoft.AspNetCore.Hosting.WebHostExtensions", "Run", UntilStop, Hosting),
        new("Microsoft.AspNetCore.Hosting.WebHostExtensions", "WaitForShutdown", UntilStop, Hosting),
        new("System.Console", "Read", ForPerson, ConsoleInput),
        new("System.ConsolePal", "Read", ForPerson, ConsoleInput),
        new("System.ConsolePal+UnixConsoleStream", "Read", ForPerson, ConsoleInput),
        new("System.ConsolePal+WindowsConsoleStream", "Read", ForPerson, ConsoleInput),
        new("System.IO.StdInReader", "Read", ForPerson, ConsoleInput),
        new("System.IO.SyncTextReader", "Read", ForPerson, ConsoleInput),
        new("System.Net.Sockets.Socket", "Accept", ForPeer, Listeners),
        new("System.Net.Sockets.TcpListener", "Accept", ForPeer, Listeners),
        new("System.Net.HttpListener", "GetContext", ForPeer, Listeners),
        new("System.IO.Pipes.NamedPipeServerStream", "WaitForConnection", ForPeer, Listeners),
        new("System.Collections.Concurrent.BlockingCollection", "TryTake", ForWork, Queues),
        new("System.Collections.Concurrent.BlockingCollection", "Take", ForWork, Queues),
        new("System.Diagnostics.Process", "WaitForExit", "waits for the end of a child process", "dotnet/runtime: Process.cs, ProcessWaitState.Unix.cs"),
    ];

    /// <summary>The row of a method by its full name, with or without its signature and type arguments; null for others.</summary>
    public static IdleCall? Find(string? method)
    {
        if (method is null)
        {
            return null;
        }

        string name = CallNames.WithoutSignature(method);
        return name.LastIndexOf('.') is > 0 and int end ? Find(name.AsSpan(0, end), name.AsSpan(end + 1)) : null;
    }

    private static IdleCall? Find(ReadOnlySpan<char> type, ReadOnlySpan<char> method)
    {
        foreach (IdleCall row in Rows)
        {
            if (method.StartsWith(row.Name, StringComparison.Ordinal) && IsOf(type, row.Type))
            {
                return row;
            }
        }

        return null;
    }

    // "X<T>" and "X`1" are X; a longer name is another type.
    private static bool IsOf(ReadOnlySpan<char> type, string name)
        => type.StartsWith(name, StringComparison.Ordinal) && (type.Length == name.Length || type[name.Length] is '<' or '`');
}
