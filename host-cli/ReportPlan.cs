namespace HangTriage.Cli;

/// <summary>Where a report goes, and how it is written.</summary>
/// <param name="File">Null for standard output.</param>
/// <param name="Name">As the user names the file.</param>
/// <param name="Layout">How it is written.</param>
internal sealed record ReportPlan(OutputFile? File, string? Name, ReportLayout Layout)
{
    /// <summary>The option says the format; without it the file's name; else it is the command's own.</summary>
    /// <param name="path">What -o names; null where it was not given.</param>
    /// <param name="format">What --format names; null where it was not given.</param>
    /// <param name="otherwise">The command's own.</param>
    /// <param name="inputs">Files that are not overwritten, the judged one first.</param>
    /// <exception cref="UsageException">No file is named, or the file would replace an input.</exception>
    /// <exception cref="OutputException">The file cannot be written.</exception>
    public static ReportPlan Of(string? path, string? format, string otherwise, params ReadOnlySpan<string?> inputs)
    {
        OutputFile? file = OutputFile.PlanOrNull(path, inputs);
        string written = format ?? (file is null ? null : ReportFormat.OfFile(path!)) ?? otherwise;
        return new ReportPlan(file, path, new ReportLayout(written) { Input = inputs.Length > 0 ? inputs[0] : null });
    }
}
