namespace HangTriage.Reports.Summary;

/// <summary>What a summary needs of one JSON report.</summary>
public sealed record ReportDigest
{
    /// <summary>All of it: what groups reports.</summary>
    public required string Signature { get; init; }

    public required string Kind { get; init; }

    public required string Title { get; init; }

    public IReadOnlyList<string> Frames { get; init; } = [];

    /// <summary>Null where no rule decided.</summary>
    public string? Rule { get; init; }

    /// <summary>Null where the kind is Inconclusive.</summary>
    public string? Confidence { get; init; }

    /// <summary>Null where the report does not say it.</summary>
    public DateTimeOffset? CapturedAt { get; init; }

    public string? Process { get; init; }

    public string? Tool { get; init; }

    /// <summary>As "CoreCLR 10.0.12".</summary>
    public IReadOnlyList<string> Runtimes { get; init; } = [];

    /// <summary>Where the report is: file and line.</summary>
    public string Place { get; init; } = string.Empty;
}
