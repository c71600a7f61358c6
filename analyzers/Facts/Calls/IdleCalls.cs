namespace HangTriage.Facts.Calls;

/// <summary>
/// The waits inside the process that are idling by design: a thread or async method in one of them says nothing against the health of
/// its process. Those for the outside are the rows of <see cref="OutsideCalls"/> with <see cref="OutsideWait.Idle"/>.
/// </summary>
public static class IdleCalls
{
    private const string Hosting = "dotnet/runtime: HostingAbstractionsHostExtensions.cs; dotnet/aspnetcore: WebApplication.cs, WebHostExtensions.cs";
    private const string Queues = "dotnet/runtime: BlockingCollection.cs";

    private const string UntilStop = "waits until the host is asked to stop";
    private const string ForWork = "waits for the next item of its queue";

    public static IReadOnlyList<IdleCall> Rows { get; } =
    [
        new("Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions", "Run", UntilStop, Hosting),
        new("Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions", "WaitForShutdown", UntilStop, Hosting),
        new("Microsoft.AspNetCore.Builder.WebApplication", "Run", UntilStop, Hosting),
        new("Microsoft.AspNetCore.Hosting.WebHostExtensions", "Run", UntilStop, Hosting),
        new("Microsoft.AspNetCore.Hosting.WebHostExtensions", "WaitForShutdown", UntilStop, Hosting),
        new("System.Collections.Concurrent.BlockingCollection", "TryTake", ForWork, Queues) { IsForWork = true },
        new("System.Collections.Concurrent.BlockingCollection", "Take", ForWork, Queues) { IsForWork = true },
    ];

    // HttpListener.GetContextAsync, by FromAsync (dotnet/runtime: HttpListener.cs): the task is of no method, its result of nothing else.
    private const string NextRequest = "System.Threading.Tasks.Task<System.Net.HttpListenerContext>";

    /// <summary>The task, by its type, is of a call that idles.</summary>
    public static bool IsOfIdling(string? task) => task == NextRequest;

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
