using System.Text;

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

    /// <summary>The plan of a report that has no page of HTML.</summary>
    /// <param name="subject">What is written, as "A summary is".</param>
    /// <exception cref="UsageException">A page of HTML is asked for.</exception>
    public ReportPlan WithoutPage(string subject)
        => ReportFormat.Plain.Contains(Layout.Format) ? this : throw new UsageException($"{subject} text, markdown or json, not {Layout.Format}.");

    /// <summary>Writes to the file, in UTF-8, or to standard output.</summary>
    /// <exception cref="OutputException">The file could not be written; nothing is left of it.</exception>
    public void Write(Host host, Action<TextWriter, Terminal> write)
    {
        if (File is null)
        {
            write(host.Out, host.Terminal);
            return;
        }

        File.Write(stream =>
        {
            using StreamWriter writer = new(stream, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), leaveOpen: true);
            write(writer, Terminal.None);
        });
    }
}
