namespace HangTriage.Reports.Text;

/// <summary>How the text report is laid out.</summary>
public sealed record TextReportOptions
{
    public static TextReportOptions Default { get; } = new();

    /// <summary>Every thread, stack and list whole.</summary>
    public static TextReportOptions Whole { get; } = new()
    {
        MaxThreads = int.MaxValue,
        MaxStacks = int.MaxValue,
        IsWhole = true,
        MaxFrames = int.MaxValue,
        MaxFlows = int.MaxValue,
        MaxItems = int.MaxValue,
    };

    /// <summary>Sentences are wrapped at this column; names that are longer are not broken.</summary>
    public int Width { get; init; } = 100;

    /// <summary>How many threads the table lists; the rest are counted.</summary>
    public int MaxThreads { get; init; } = 20;

    /// <summary>How many different stacks of threads in the chain are shown, the culprit's first.</summary>
    public int MaxStacks { get; init; } = 3;

    /// <summary>The stacks of all other threads come behind those; all that is not in the input is listed.</summary>
    public bool IsWhole { get; init; }

    /// <summary>What the reader types to get all of it; null where nothing does.</summary>
    public string? WholeBy { get; init; } = "-v";

    public int MaxFrames { get; init; } = 16;

    /// <summary>How many groups of suspended async methods are shown; the rest are counted.</summary>
    public int MaxFlows { get; init; } = 20;

    /// <summary>How many entries any other list shows; the rest are counted.</summary>
    public int MaxItems { get; init; } = 25;

    /// <summary>Set by hosts that have colours: marks the headline of the verdict. It gets clean text, and what it returns is written as it is.</summary>
    public Func<string, string>? Emphasize { get; init; }

    /// <summary>Set by hosts whose output is markup.</summary>
    public ITextMarkup? Markup { get; init; }
}
