namespace HangTriage.Facts;

/// <summary>A background service of a host (Microsoft.Extensions.Hosting) whose work has ended with an exception.</summary>
public sealed record FailedServiceFacts
{
    /// <summary>What it was to do, as "App.Feed.ExecuteAsync".</summary>
    public required string Method { get; init; }

    /// <summary>The type of the exception, as "System.FormatException"; null where it was not found.</summary>
    public string? Exception { get; init; }
}
