using HangTriage.Reports.Html;
using HangTriage.Reports.Incident;
using HangTriage.Reports.Markdown;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using Markdig.Syntax;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>Forges end a comment at 65,536 characters.</summary>
public sealed class IncidentSizeTests
{
    [Fact]
    public void A_starved_service_is_told_in_few_words_with_the_awaited_method_in_title_and_graph()
    {
        TriageResult result = Crowded.StarvedService(300);
        string report = Markdown(result);

        Assert.Equal(VerdictKind.Starvation, result.Verdict.Kind);
        Assert.InRange(report.Length, 1, 20_000);
        Assert.Contains("Prices.FetchAsync", report.Split('\n')[2], StringComparison.Ordinal);
        string graph = MarkdownSkeleton.Parse(report).Descendants<FencedCodeBlock>().Single(block => block.Info == "mermaid").Lines.ToString();
        Assert.Contains("300 threads #34;#46;NET TP Worker#34;", graph, StringComparison.Ordinal);
        Assert.Contains("Prices#46;FetchAsync", graph, StringComparison.Ordinal);
        Assert.Contains("thread pool", graph, StringComparison.Ordinal);
        Assert.Contains("<summary>Stack of 300 threads: 0-299</summary>", report, StringComparison.Ordinal);
    }

    [Fact]
    public void However_much_there_is_to_tell_it_fits_and_says_what_it_leaves_out()
    {
        string report = Markdown(Crowded.Everything(1_000, 5_000));

        Assert.InRange(report.Length, 30_000, 60_000);
        Assert.Contains("Left out, to stay below 60,000 characters: ", report, StringComparison.Ordinal);
        Assert.Contains("and 975 more", report, StringComparison.Ordinal);
        Assert.Equal(Count(report, "<details>"), Count(report, "</details>"));
        Assert.Equal(0, Count(report, "\n```") % 2);
    }

    [Fact]
    public void A_page_for_a_browser_is_bounded_too_and_closes_what_it_opens()
    {
        using StringWriter writer = new();
        HtmlReport.Write(Crowded.Everything(1_000, 5_000), writer, IncidentOptions.Default with { MaxCharacters = 100_000 });
        string page = writer.ToString();

        Assert.InRange(page.Length, 50_000, 110_000);
        Assert.Contains("Left out, to stay below 100,000 characters", page, StringComparison.Ordinal);
        Assert.All(["details", "table", "ol", "ul", "pre"], tag => Assert.Equal(Count(page, $"<{tag}>") + Count(page, $"<{tag} "), Count(page, $"</{tag}>")));
    }

    private static int Count(string text, string part) => text.Split(part).Length - 1;

    private static string Markdown(TriageResult result)
    {
        using StringWriter writer = new();
        MarkdownReport.Write(result, writer);
        return writer.ToString();
    }
}
