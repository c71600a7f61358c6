using System.Reflection;
using System.Text;
using HangTriage.DbgEng.Engine;
using HangTriage.Reports;
using HangTriage.Reports.Incident;
using HangTriage.Reports.Json;
using HangTriage.Reports.Markdown;
using HangTriage.Rules;

namespace HangTriage.DbgEng;

/// <summary>Writes the reports that the user wants in files, on the machine of the debugger.</summary>
internal sealed class ReportFiles(DebugSession session, TriageResult result, TimeSpan captured, TimeSpan judged)
{
    private static readonly UTF8Encoding s_utf8 = new(encoderShouldEmitUTF8Identifier: false);

    private static readonly string s_version =
        typeof(ReportFiles).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion;

    /// <param name="json">The file that gets the JSON report; null for none.</param>
    /// <param name="markdown">The file that gets the incident report; null for none.</param>
    /// <exception cref="IOException">A file could not be written.</exception>
    /// <exception cref="UnauthorizedAccessException">A file may not be written.</exception>
    public void Write(string? json, string? markdown)
    {
        Dictionary<string, TimeSpan> timings = new() { ["capture"] = captured, ["judge"] = judged };
        Write(json, text => JsonReport.Write(result, text, new JsonReportOptions(s_version, timings)));
        Write(markdown, text => MarkdownReport.Write(result, text, IncidentOptions.Default with { ToolVersion = s_version, Timings = timings }));
    }

    private void Write(string? path, Action<TextWriter> write)
    {
        if (path is null)
        {
            return;
        }

        using StringWriter text = new();
        write(text);
        File.WriteAllText(path, text.ToString(), s_utf8);
        using EngineOutput output = EngineOutput.Of(session);
        output.Write($"triage: {Printable.Ascii(path)} is written\n");
    }
}
