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

    /// <summary>The method whose task a background service has in its field, as "App.Mails.ExecuteAsync" for "App.Mails._executeTask"; null for any other field.</summary>
    public static string? LoopOf(string? field)
        => field?.EndsWith(ServicesTask, StringComparison.Ordinal) == true ? field[..^ServicesTask.Length] + "." + Work : null;
}
