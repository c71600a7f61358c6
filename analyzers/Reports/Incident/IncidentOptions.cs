namespace HangTriage.Reports.Incident;

/// <summary>Bounds on the incident report, and what only the host knows.</summary>
public sealed record IncidentOptions
{
    public static IncidentOptions Default { get; } = new();

    /// <summary>How many entries a list or table shows; the rest are counted.</summary>
    public int MaxItems { get; init; } = 25;

    /// <summary>How many different stacks are shown; the rest are counted.</summary>
    public int MaxStacks { get; init; } = 30;

    public int MaxFrames { get; init; } = 60;

    /// <summary>The report has at most so many characters. Forges end a comment at 65,536.</summary>
    public int MaxCharacters { get; init; } = 60_000;

    /// <summary>The version of the tool; null to leave it out.</summary>
    public string? ToolVersion { get; init; }

    /// <summary>Names the contents of the input: "sha256 ..."; null where it was not taken.</summary>
    public string? InputHash { get; init; }

    /// <summary>How long each step took: "capture", "judge".</summary>
    public IReadOnlyDictionary<string, TimeSpan> Timings { get; init; } = new Dictionary<string, TimeSpan>();
}
