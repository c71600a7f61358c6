namespace HangTriage.Facts;

/// <summary>A background service of a host (Microsoft.Extensions.Hosting) whose work has ended.</summary>
public sealed record EndedServiceFacts
{
    /// <summary>What it was to do, as "App.Feed.ExecuteAsync".</summary>
    public required string Method { get; init; }

    /// <summary>The task of its work.</summary>
    public Address? Task { get; init; }

    /// <summary>It ended with an exception, not by itself and not since it was told to.</summary>
    public bool HasFailed { get; init; }

    /// <summary>The type of the exception, as "System.FormatException"; null where it was not found, or there is none.</summary>
    public string? Exception { get; init; }
}
