using HangTriage.Capture.Managed.Clock;

namespace HangTriage.Capture.Managed.Requests;

/// <summary>A field that says since when a request has been under way.</summary>
/// <param name="Type">The object that a request leads to.</param>
/// <param name="Path">The fields from that object to the time.</param>
/// <param name="Unit">In what it is noted.</param>
/// <param name="Words">What reports call it.</param>
internal sealed record StartSource(string Type, IReadOnlyList<string> Path, StartUnit Unit, string Words)
{
    /// <summary>What hosting keeps of a request.</summary>
    public const string Context = "Microsoft.AspNetCore.Hosting.HostingApplication+Context";

    /// <summary>All of them, the better one of a type first. Tried on .NET 8, 9 and 10.</summary>
    /// <remarks>
    /// dotnet/aspnetcore: HostingApplicationDiagnostics.BeginRequest notes the first where hosting logs at Information, or is measured, and
    /// clears it at the end; the second where anything logs at all. dotnet/runtime: HttpClient.PrepareCancellationTokenSource sets the
    /// third when a request begins, unless the client's Timeout is infinite.
    /// </remarks>
    public static IReadOnlyList<StartSource> All { get; } =
    [
        new(Context, ["<StartTimestamp>k__BackingField"], StartUnit.StopwatchTicks, "noted by the web server"),
        new(
            Context, ["HttpActivityFeature", "<Activity>k__BackingField", "<StartTimeUtc>k__BackingField"],
            StartUnit.Utc, "noted by its Activity"),
        new("System.Threading.CancellationTokenSource", ["_timer"], StartUnit.Timer, SetTimer.Source),
    ];
}
