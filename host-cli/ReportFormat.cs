using HangTriage.Reports;
using HangTriage.Reports.Json;
using HangTriage.Reports.Markdown;
using HangTriage.Reports.Text;
using HangTriage.Rules.Policy;

namespace HangTriage.Cli;

/// <summary>Writes an analysis in the format that the user asked for.</summary>
internal static class ReportFormat
{
    public const string Text = "text";
    public const string Markdown = "markdown";
    public const string Json = "json";

    private const string Bold = "\e[1m";
    private const string Red = "\e[1;31m";
    private const string Yellow = "\e[1;33m";
    private const string Reset = "\e[0m";

    public static void Write(ReportLayout layout, Analysis analysis, TextWriter output, Terminal terminal)
    {
        switch (layout.Format)
        {
            case Json:
                JsonReport.Write(analysis.Result, output, new JsonReportOptions(Host.Version, analysis.Timings));
                break;
            case Markdown:
                MarkdownReport.Write(analysis.Result, output);
                break;
            default:
                TextReport.Write(analysis.Result, output, TextOptions(analysis.Result.Verdict.Kind, layout.IsVerbose, terminal));
                break;
        }
    }

    private static TextReportOptions TextOptions(VerdictKind kind, bool isVerbose, Terminal terminal)
    {
        string colour = kind.IsHang() ? Red : kind == VerdictKind.Inconclusive ? Yellow : Bold;
        return (isVerbose ? TextReportOptions.Whole : TextReportOptions.Default) with
        {
            Width = terminal.Width,
            Emphasize = terminal.HasColour ? headline => colour + headline + Reset : null,
        };
    }
}
