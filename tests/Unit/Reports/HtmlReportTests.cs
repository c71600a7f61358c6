using System.Net;
using System.Text.RegularExpressions;
using HangTriage.Reports;
using HangTriage.Reports.Html;
using HangTriage.Rules;

namespace HangTriage.Tests.Unit.Reports;

public sealed partial class HtmlReportTests
{
    [Fact]
    public void Each_link_leads_to_one_place_of_the_page()
        => Assert.All(SampleResults.All(), result =>
        {
            string page = Write(result);
            string[] places = [.. Places().Matches(page).Select(match => match.Groups[1].Value)];
            Assert.Equal(places.Distinct(), places);
            Assert.Empty(Links().Matches(page).Select(match => match.Groups[1].Value).Except(places.Select(place => "#" + place)));
        });

    [Fact]
    public void A_threads_box_and_name_lead_into_its_stack()
    {
        string page = Write(SampleResults.Spinner());
        Assert.Contains("<summary>Stack of thread 114 (0x6710) &quot;OMP worker&quot;, the culprit</summary>\n<div><span id=\"thread-0x6710\"></span></div>", page, StringComparison.Ordinal);
        Assert.Contains("<a href=\"#thread-0x6710\"><g class=\"thread culprit\">", page, StringComparison.Ordinal);
        Assert.Contains("<a href=\"#thread-0x6710\">thread 114 (0x6710)</a>", page, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(MarkdownReportTests.HostileTexts), MemberType = typeof(MarkdownReportTests))]
    [InlineData("</style></script><script>alert(1)</script>")]
    [InlineData("\" onmouseover=\"alert(1)")]
    [InlineData("' onload='alert(1)")]
    [InlineData("]]>-->")]
    public void A_hostile_name_changes_no_tag_and_reads_as_it_is(string text)
    {
        string page = Write(SampleResults.Hostile(text));
        Assert.Equal(Tags(Write(SampleResults.Hostile("plain"))), Tags(page));
        Assert.Equal(Printable.Line(text), WebUtility.HtmlDecode(Lead().Match(page).Groups[1].Value));
    }

    [Fact]
    public void The_page_runs_no_script_and_loads_nothing()
        => Assert.All(SampleResults.All(), result =>
        {
            string page = Write(result);
            Assert.Contains("content=\"default-src 'none'; style-src 'unsafe-inline'\"", page, StringComparison.Ordinal);
            Assert.All(Tag().Matches(page), tag => Assert.DoesNotMatch(@"<(script|img|link|iframe|object|embed|base|form)\b|\son\w+=|(src|href)=""(?!#)", tag.Value));
        });

    private static string[] Tags(string page) => [.. Tag().Matches(page).Select(match => Numbers().Replace(match.Value, "0"))];

    private static string Write(TriageResult result)
    {
        using StringWriter writer = new();
        HtmlReport.Write(result, writer);
        return writer.ToString();
    }

    // Long names make boxes of more lines: their tags differ in number, which the graph's tests look at.
    [GeneratedRegex("<(?!/?text|/?g\\b|rect|path|svg)[^>]*>")]
    private static partial Regex Tag();

    [GeneratedRegex(@"\d+")]
    private static partial Regex Numbers();

    [GeneratedRegex("<p class=\"lead\">(.*)</p>")]
    private static partial Regex Lead();

    [GeneratedRegex(" id=\"([^\"]*)\"")]
    private static partial Regex Places();

    [GeneratedRegex(" href=\"([^\"]*)\"")]
    private static partial Regex Links();
}
