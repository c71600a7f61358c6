namespace HangTriage.Facts.Calls;

/// <summary>
/// The work items of .NET's own through which others complete: while they are queued, no timer fires, and no answer of the system is
/// passed on.
/// </summary>
public static class PoolItemTypes
{
    // dotnet/runtime: TimerQueue.Portable.cs. Every timer that is due, on Linux and macOS.
    private const string Timers = "System.Threading.TimerQueue";

    // dotnet/runtime: SocketAsyncEngine.Unix.cs. Every event of the sockets of one engine.
    private const string Sockets = "System.Net.Sockets.SocketAsyncEngine";

    // dotnet/runtime: PortableThreadPool.IO.Windows.cs. Every completed operation of a port.
    private const string Completions = "System.Threading.ThreadPoolTypedWorkItemQueue";

    /// <summary>What an item of that type brings to its end; null for other types.</summary>
    public static TaskNeedKind? Brings(string type)
    {
        ArgumentNullException.ThrowIfNull(type);
        return type == Timers ? TaskNeedKind.Timer
            : type == Sockets || type.StartsWith(Completions, StringComparison.Ordinal) ? TaskNeedKind.Io
            : null;
    }
}
