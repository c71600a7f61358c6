using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using HangTriage.Reports;
using HangTriage.Reports.Dml;
using HangTriage.Reports.Html;
using HangTriage.Reports.Json;
using HangTriage.Reports.Markdown;
using HangTriage.Reports.Text;
using HangTriage.Rules;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>A stored sample whose threads, methods, files, locks and gaps have hostile names: none comes out raw in any format.</summary>
public sealed partial class HostileSampleTests
{
    private const string Hostile = "<img src=x onerror=alert(1)>\"'" + SampleResults.HostileText;

    public static TheoryData<string> Names => StoredSampleTests.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void No_hostile_name_comes_out_raw(string name)
    {
        TriageResult result = Triage.Judge(HostileFacts.Of(name, Hostile));
        string text = PlainReports.Written(writer => TextReport.Write(result, writer, TextReportOptions.Whole));
        string dml = PlainReports.Written(writer => TextReport.Write(result, writer, DmlLinks.In(TextReportOptions.Whole)));
        string markdown = PlainReports.Written(writer => MarkdownReport.Write(result, writer));
        XDocument page = PageCheck.Parse(PlainReports.Written(writer => HtmlReport.Write(result, writer)));
        string json = PlainReports.Written(writer => JsonReport.Write(result, writer, PlainReports.Json));

        Assert.DoesNotMatch("[^\n -~]", text);
        Assert.DoesNotContain('<', Tags().Replace(dml, string.Empty));
        Assert.All(Commands().Matches(dml), match => Assert.Matches(@"^[-~!\[\];_a-zA-Z0-9 ]*$", match.Groups[1].Value));
        Assert.Empty(MarkdownCheck.Strange(MarkdownSkeleton.Parse(markdown)));
        Assert.Empty(PageCheck.Strange(page).Concat(PageCheck.DeadLinks(page)));
        Assert.DoesNotMatch("[^\n -~]", json);
        Assert.EndsWith(Hostile, JsonNode.Parse(json)!["target"]!["process"]!.GetValue<string>(), StringComparison.Ordinal);
        Assert.All(
            PlainReports.Of(result),
            report => Assert.Contains(PlainReports.OneLine(report.Clean(Hostile)), report.Words, StringComparison.Ordinal));
    }

    [GeneratedRegex("</?(b|link)( cmd=\"[^\"]*\")?>")]
    private static partial Regex Tags();

    [GeneratedRegex("<link cmd=\"([^\"]*)\">")]
    private static partial Regex Commands();
}
