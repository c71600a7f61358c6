namespace HangTriage.Reports.Json;

/// <summary>Requests over HTTP of one name that have come equally far.</summary>
internal sealed record RequestPart
{
    public required string Kind { get; init; }

    public required string State { get; init; }

    public string? Method { get; init; }

    public string? Route { get; init; }

    public required int Count { get; init; }

    /// <summary>Of the oldest.</summary>
    public AgePart? Since { get; init; }

    /// <summary>Of the youngest; absent for a single one.</summary>
    public AgePart? Youngest { get; init; }

    /// <summary>The threads that handle them, at most some.</summary>
    public required IReadOnlyList<string> Threads { get; init; }

    /// <summary>The samples of the groups of async methods that they have come to, at most some.</summary>
    public required IReadOnlyList<string> Flows { get; init; }
}

/// <summary>Who outside the process waits in what was judged, as far as that is known.</summary>
/// <param name="Requests">How many requests.</param>
/// <param name="Since">Of the oldest.</param>
/// <param name="Text">In words.</param>
internal sealed record ImpactPart(int Requests, AgePart? Since, string Text);
