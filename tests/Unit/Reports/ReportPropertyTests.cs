using System.Text.RegularExpressions;
using System.Xml.Linq;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Reports.Incident;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Policy;
using Markdig.Extensions.Tables;
using Markdig.Syntax;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>What holds for the reports of every stored sample, whatever they say.</summary>
public sealed partial class ReportPropertyTests
{
    // The head of a page, with its style, is not counted as the report's.
    private const int MostOfHead = 6_000;

    // The rows of a box are what a report can say of a process, and no list of the process's own.
    private const int MostRowsOfBox = 20;

    private static readonly IncidentOptions s_tight = new() { MaxItems = 3, MaxStacks = 2, MaxFrames = 4, MaxCharacters = 5_000 };

    public static TheoryData<string> Names => StoredSampleTests.Names;

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_format_says_what_the_verdict_says(string name)
    {
        TriageResult result = StoredSamples.Result(name);

        string[] lost =
        [
            .. from report in PlainReports.Of(result)
               from said in SaidIn(result, report.Format)
               where !report.Words.Contains(PlainReports.OneLine(report.Clean(said)), StringComparison.Ordinal)
               select $"{report.Format}: {said}",
        ];

        Assert.True(lost.Length == 0, string.Join('\n', lost));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void The_page_says_what_the_Markdown_says(string name)
    {
        string markdown = Graph().Replace(StoredSamples.Markdown(name, PlainReports.Whole), string.Empty);
        string page = NotInMarkdown().Replace(StoredSamples.Html(name, PlainReports.Whole), string.Empty);

        Assert.Equal(Letters(PlainReports.OfMarkdown(markdown)), Letters(PlainReports.OfMarkup(page)));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Its_page_is_well_formed_and_each_link_leads_to_one_place(string name)
    {
        XDocument page = PageCheck.Parse(StoredSamples.Html(name));

        Assert.Empty(PageCheck.Strange(page));
        Assert.Empty(PageCheck.TwicePlaced(page));
        Assert.Empty(PageCheck.DeadLinks(page));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Its_Markdown_has_no_links_and_closes_what_it_opens(string name)
    {
        string report = StoredSamples.Markdown(name);

        Assert.Empty(MarkdownCheck.Strange(MarkdownSkeleton.Parse(report)));
        Assert.Equal(Regex.Count(report, "(?m)^<details>$"), Regex.Count(report, "(?m)^</details>$"));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Bounds_are_kept_and_what_is_cut_stays_well_formed(string name)
    {
        string markdown = StoredSamples.Markdown(name, s_tight);
        string html = StoredSamples.Html(name, s_tight);
        MarkdownDocument document = MarkdownSkeleton.Parse(markdown);
        XDocument page = PageCheck.Parse(html);

        Assert.InRange(markdown.Length, 1, s_tight.MaxCharacters);
        Assert.InRange(html.Length, 1, s_tight.MaxCharacters + MostOfHead);
        Assert.Empty(MarkdownCheck.Strange(document));
        Assert.Empty(PageCheck.Strange(page).Concat(PageCheck.TwicePlaced(page)).Concat(PageCheck.DeadLinks(page)));
        Assert.All(document.Descendants<ListBlock>(), list => Assert.InRange(list.Count, 1, s_tight.MaxItems + 1));
        Assert.All(
            document.Descendants<Table>(),
            table => Assert.InRange(table.Count, 1, 1 + (IsBox(table) ? MostRowsOfBox : s_tight.MaxItems)));
        Assert.All(
            document.Descendants<FencedCodeBlock>().Where(block => block.Info != "mermaid"),
            block => Assert.InRange(block.Lines.Count, 1, s_tight.MaxFrames + 1));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void A_list_of_the_text_is_as_long_as_was_asked_for(string name)
    {
        TextReportOptions tight = new() { MaxItems = 2, MaxThreads = 2, MaxFrames = 2, MaxFlows = 2, MaxStacks = 1 };
        string text = StoredSamples.Text(name, tight);

        Assert.DoesNotMatch(@"(?m)^   [3-9]\. ", text);
        Assert.InRange(Regex.Count(text, @"(?m)^Stack of "), 0, 1);
        Assert.InRange(text.Split('\n').Length, 1, 100);
    }

    // Of a hang that a suspect is a victim of, the chain says what the suspect's own line would.
    private static IEnumerable<string> SaidIn(TriageResult result, string format)
    {
        Verdict verdict = result.Verdict;
        HashSet<Gap> suspects = format == "JSON" ? [] : [.. verdict.Suspects.Select(suspect => suspect.Unknown)];
        IEnumerable<Gap> gaps = Unseen.Counted(result.Case).Select(gap => gap.Gap).Concat(verdict.Gaps).Except(suspects);
        return
        [
            verdict.Title.Text,
            verdict.ConfidenceReason,
            verdict.Signature.Hash,
            verdict.Signature.Text,
            .. verdict.Rule is { } rule ? [rule.Id, rule.Name] : Array.Empty<string>(),
            .. verdict.Culprit is { } culprit ? [culprit.Label.Text, culprit.Role?.Text ?? string.Empty] : Array.Empty<string>(),
            .. verdict.Chain.SelectMany(link => new[] { link.From.Label.Text, link.Edge, link.To.Label.Text }),
            .. verdict.Evidence.Concat(verdict.Contradictions).SelectMany(item => new[] { item.Claim.Text, item.Source }),
            .. verdict.Advice.Select(advice => advice.Text),
            .. verdict.Kind.IsHang() ? [] : verdict.Suspects.Select(suspect => suspect.Title.Text),
            .. gaps.SelectMany(gap => new[] { gap.What, gap.Why }),
        ];
    }

    private static bool IsBox(Table table)
        => table.Descendants<TableRow>().First().Descendants<ParagraphBlock>()
            .All(cell => cell.Inline is null || MarkdownSkeleton.Text(cell).Trim().Length == 0);

    private static string Letters(string text) => text.Replace(" ", string.Empty, StringComparison.Ordinal);

    [GeneratedRegex("^```mermaid$.*?^```$", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Graph();

    // Its head, its picture, and the line that links of left-out stacks lead to.
    [GeneratedRegex("<head>.*</head>|<svg .*?</svg>|<p>[^\n]*Stacks that no part above shows are not[^\n]*</p>", RegexOptions.Singleline)]
    private static partial Regex NotInMarkdown();
}
