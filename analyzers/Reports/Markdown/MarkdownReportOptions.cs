namespace HangTriage.Reports.Markdown;

/// <summary>Bounds on the incident report.</summary>
public sealed record MarkdownReportOptions
{
    public static MarkdownReportOptions Default { get; } = new();

    /// <summary>How many entries a list, or a section of stacks, shows; the rest are counted.</summary>
    public int MaxItems { get; init; } = 50;

    public int MaxFrames { get; init; } = 100;

    /// <summary>How many threads with the same stack are named.</summary>
    public int MaxThreadsInTitle { get; init; } = 8;
}
