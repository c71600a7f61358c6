using System.Text.Json;
using HangTriage.Facts;

namespace HangTriage.Reports.Json;

/// <summary>A trace for scripts; docs/report-schema.json describes its part. ASCII only, and it ends in LF.</summary>
public static class TraceJsonReport
{
    /// <param name="trace">All of it, or one process's share.</param>
    /// <param name="file">The file's name.</param>
    /// <param name="output">Where to.</param>
    /// <param name="toolVersion">The version of the tool that writes it.</param>
    public static void Write(TraceFacts trace, string file, TextWriter output, string toolVersion)
    {
        ArgumentNullException.ThrowIfNull(trace);
        ArgumentNullException.ThrowIfNull(output);
        TraceReportPart report = new(new ToolPart(toolVersion), PartsOfTrace.Of(trace, file));
        output.Write(JsonSerializer.Serialize(report, ReportJsonContext.Default.TraceReportPart).ReplaceLineEndings("\n"));
        output.Write('\n');
    }
}
