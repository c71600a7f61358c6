using System.Net;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using HangTriage.Reports;
using HangTriage.Reports.Dml;
using HangTriage.Reports.Html;
using HangTriage.Reports.Incident;
using HangTriage.Reports.Json;
using HangTriage.Reports.Markdown;
using HangTriage.Reports.Text;
using HangTriage.Rules;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>A whole report in each format, as the words that its reader sees: without markup, escapes and line breaks.</summary>
internal static partial class PlainReports
{
    private const int NoBound = 1 << 24;

    public static JsonReportOptions Json { get; } = new("0.0.0", new Dictionary<string, TimeSpan>());

    /// <summary>Nothing is cut.</summary>
    public static IncidentOptions Whole { get; } = new()
    {
        MaxItems = NoBound,
        MaxStacks = NoBound,
        MaxFrames = NoBound,
        MaxCharacters = NoBound,
    };


    /// <summary>Each with what a name of the target becomes in it.</summary>
    public static IEnumerable<(string Format, string Words, Func<string, string> Clean)> Of(TriageResult result)
    {
        TextReportOptions layout = TextReportOptions.Whole;
        string json = Written(writer => JsonReport.Write(result, writer, Json));
        yield return ("text", OneLine(Written(writer => TextReport.Write(result, writer, layout))), Printable.Ascii);
        yield return ("DML", OfMarkup(Written(writer => TextReport.Write(result, writer, DmlLinks.In(layout)))), Printable.Ascii);
        yield return ("Markdown", OfMarkdown(Written(writer => MarkdownReport.Write(result, writer, Whole))), Printable.Line);
        yield return ("HTML", OfMarkup(Written(writer => HtmlReport.Write(result, writer, Whole))), Printable.Line);
        yield return ("JSON", OneLine(string.Join('\n', Strings(JsonNode.Parse(json)))), text => text);
    }

    public static string OfMarkdown(string report) => OfMarkup(MarkdownSkeleton.Html(report));

    public static string OfMarkup(string page) => OneLine(WebUtility.HtmlDecode(Tag().Replace(page, string.Empty)));

    public static string OneLine(string text) => Break().Replace(text, " ").Trim();

    public static string Written(Action<TextWriter> write)
    {
        using StringWriter writer = new();
        write(writer);
        return writer.ToString();
    }

    private static IEnumerable<string> Strings(JsonNode? node) => node switch
    {
        JsonObject record => record.SelectMany(property => Strings(property.Value)),
        JsonArray items => items.SelectMany(Strings),
        JsonValue value => [value.ToString()],
        _ => [],
    };

    [GeneratedRegex("<[^>]*>")]
    private static partial Regex Tag();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Break();
}
