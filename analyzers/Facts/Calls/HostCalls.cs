namespace HangTriage.Facts.Calls;

/// <summary>The methods of the generic host (Microsoft.Extensions.Hosting) that start and stop it.</summary>
public static class HostCalls
{
    public const string Start = Host + ".StartAsync";

    public const string Stop = Host + ".StopAsync";

    /// <summary>It ends when the host is told to stop.</summary>
    public const string WaitForStop = "Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.WaitForShutdownAsync";

    /// <summary>What it awaits ends with the token that the host cancels when the time for the stop is over.</summary>
    public const string StopOfService = Service + ".StopAsync";

    /// <summary>The type of a service that works beside the host, by one method.</summary>
    public const string Service = "Microsoft.Extensions.Hosting.BackgroundService";

    /// <summary>That method.</summary>
    public const string Work = "ExecuteAsync";

    /// <summary>It awaits what a background service does until that ends.</summary>
    public const string RunOfService = Host + ".TryExecuteBackgroundServiceAsync";

    public const string Host = "Microsoft.Extensions.Hosting.Internal.Host";

    private const string ServicesTask = "._executeTask";

    /// <summary>A method with which a host runs what works beside it, until it stops.</summary>
    public static bool Runs(string method)
        => method.StartsWith(Host, StringComparison.Ordinal) || method.StartsWith(Service, StringComparison.Ordinal);

    /// <summary>
    /// The method of a background service whose task is awaited, as "App.Mails.ExecuteAsync"; null for anything else.
    /// </summary>
    /// <param name="awaited">The field that has the task, as "App.Mails._executeTask", or the method itself.</param>
    public static string? LoopOf(string? awaited)
        => awaited?.EndsWith(ServicesTask, StringComparison.Ordinal) == true ? awaited[..^ServicesTask.Length] + "." + Work
            : awaited?.EndsWith("." + Work, StringComparison.Ordinal) == true ? awaited
            : null;
}
