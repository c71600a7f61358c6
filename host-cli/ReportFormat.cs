using HangTriage.Reports;
using HangTriage.Reports.Html;
using HangTriage.Reports.Incident;
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
    public const string Html = "html";
    public const string Json = "json";

    private const string Bold = "\e[1m";
    private const string Red = "\e[1;31m";
    private const string Yellow = "\e[1;33m";
    private const string Reset = "\e[0m";

    public static IReadOnlyList<string> All { get; } = [Text, Markdown, Html, Json];

    /// <summary>Those of reports that have no page of HTML.</summary>
    public static IReadOnlyList<string> Plain { get; } = [Text, Markdown, Json];

    /// <summary>What the name of a file asks for; null where it says nothing.</summary>
    public static string? OfFile(string path) => Path.GetExtension(path).ToLowerInvariant() switch
    {
        ".txt" or ".log" => Text,
        ".md" or ".markdown" => Markdown,
        ".html" or ".htm" => Html,
        ".json" => Json,
        _ => null,
    };

    public static void Write(ReportLayout layout, Analysis analysis, TextWriter output, Terminal terminal)
    {
        switch (layout.Format)
        {
            case Json:
                JsonReport.Write(analysis.Result, output, new JsonReportOptions(Host.Version, analysis.Timings));
                break;
            case Markdown:
                MarkdownReport.Write(analysis.Result, output, IncidentOptions.Default.With(analysis, layout));
                break;
            case Html:
                HtmlReport.Write(analysis.Result, output, HtmlReport.Default.With(analysis, layout));
                break;
            default:
                TextReport.Write(analysis.Result, output, TextOptions(analysis.Result.Verdict.Kind, layout, terminal));
                break;
        }
    }

    private static IncidentOptions With(this IncidentOptions options, Analysis analysis, ReportLayout layout) => options with
    {
        ToolVersion = Host.Version,
        InputHash = InputHash.Of(layout.Input),
        Timings = analysis.Timings,
    };

    private static TextReportOptions TextOptions(VerdictKind kind, ReportLayout layout, Terminal terminal)
    {
        string colour = kind.IsHang() ? Red : kind == VerdictKind.Inconclusive ? Yellow : Bold;
        return (layout.IsVerbose ? TextReportOptions.Whole : TextReportOptions.Default) with
        {
            WholeBy = layout.VerboseOption,
            Width = terminal.Width,
            Emphasize = terminal.HasColour ? headline => colour + headline + Reset : null,
        };
    }
}
