using System.Net;
using System.Text.RegularExpressions;
using HangTriage.Reports.Dml;
using HangTriage.Reports.Html;
using HangTriage.Reports.Json;
using HangTriage.Reports.Markdown;
using HangTriage.Reports.Text;
using HangTriage.Rules;

namespace HangTriage.Tests.Unit.Gaps;

/// <summary>A result in every format that a person or a script reads, without line breaks.</summary>
internal static partial class GapReports
{
    private static readonly JsonReportOptions s_json = new("1.0", new Dictionary<string, TimeSpan>());

    public static IEnumerable<(string Format, string Text)> Of(TriageResult result) => Of(result, TextReportOptions.Default);

    public static IEnumerable<(string Format, string Text)> Of(TriageResult result, TextReportOptions layout)
    {
        yield return ("text", Written(output => TextReport.Write(result, output, layout)));
        yield return ("DML", Written(output => TextReport.Write(result, output, DmlLinks.In(layout))));
        yield return ("Markdown", Written(output => MarkdownReport.Write(result, output)));
        yield return ("HTML", WebUtility.HtmlDecode(Written(output => HtmlReport.Write(result, output))));
        yield return ("JSON", Written(output => JsonReport.Write(result, output, s_json)));
    }

    private static string Written(Action<TextWriter> write)
    {
        using StringWriter output = new();
        write(output);
        return Break().Replace(output.ToString(), " ");
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Break();
}
