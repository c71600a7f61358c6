namespace HangTriage.Cli;

/// <summary>How a report is to be written.</summary>
/// <param name="Format">One of <see cref="ReportFormat"/>'s.</param>
/// <param name="IsVerbose">All of it, where the format has a short form.</param>
internal sealed record ReportLayout(string Format, bool IsVerbose = false)
{
    /// <summary>The option that shows all of it; null where the command has none.</summary>
    public string? VerboseOption { get; init; } = "-v";

    /// <summary>The file that was judged; null where it was no file.</summary>
    public string? Input { get; init; }
}
