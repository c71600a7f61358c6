using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Reports.Incident;
using HangTriage.Reports.Markdown;
using HangTriage.Rules;
using HangTriage.Rules.Claims;
using Markdig.Extensions.Tables;
using Markdig.Syntax;

namespace HangTriage.Tests.Unit.Reports;

public sealed class MarkdownReportTests
{
    private const string Marks = "\\`*_{}[]<>()#+-.!|~&:@/\"'=^$%;,? \t\nax1w";

    public static TheoryData<string> HostileTexts { get; } =
    [
        SampleResults.HostileText,
        "<Main>$", "List<T>", "a|b", "``` \n# heading", "- item", "1. item", "1) item", "+ item", "> quote", "> [!WARNING]", "=== x", "--- x", "# x",
        "[x](javascript:alert(1))", "![x](http://e.x/y.png)", "<http://e.x>", "https://e.x/", "http://e.x", "ftp://e.x", "www.e.x", "mailto:a@e.x", "<!-- x", "&lt;b&gt; &#60;b&#62;",
        "__init__", "*x*", "**x**", "~~x~~", "==x==", "++x++", "^x^", "~x~", "$x$", "$$ x", "[^1]: x", "*[x]: y", "{#id .class}", ": x", "[ ] x", "\\", "x\\", "x`", "```", "x  ", "    x",
    ];

    [Theory]
    [MemberData(nameof(HostileTexts))]
    public void A_hostile_name_changes_no_markup_and_reads_as_it_is(string text)
    {
        string report = Write(SampleResults.Hostile(text));
        Assert.Equal(MarkdownSkeleton.Of(Write(SampleResults.Hostile("plain"))), MarkdownSkeleton.Of(report));
        Assert.Equal(Printable.Line(text).Trim(), MarkdownSkeleton.Text(Title(MarkdownSkeleton.Parse(report))));
        Assert.DoesNotContain("<script", MarkdownSkeleton.Html(report), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void No_mixture_of_marks_becomes_markup()
    {
        Random random = new(20240506);
        string expected = MarkdownSkeleton.Of(Write(SampleResults.Hostile("plain")));
        for (int i = 0; i < 1_500; i++)
        {
            string text = "a" + string.Concat(random.GetItems<char>(Marks, random.Next(1, 12)));
            text = random.Next(2) == 0 ? text : text[1..].Trim() + "a";
            string report = Write(SampleResults.Hostile(text));
            MarkdownDocument document = MarkdownSkeleton.Parse(report);
            Assert.True(expected == MarkdownSkeleton.Of(document), $"{text}\n{report}");
            Assert.Equal(Printable.Line(text).Trim(), MarkdownSkeleton.Text(Title(document)));
        }
    }

    [Fact]
    public void Backticks_in_a_frame_do_not_end_the_code_block()
    {
        FencedCodeBlock[] stacks = [.. MarkdownSkeleton.Parse(Write(SampleResults.Hostile("````"))).Descendants<FencedCodeBlock>().Where(block => block.Lines.ToString().Contains("````", StringComparison.Ordinal))];
        Assert.Equal(2, stacks.Length);
        Assert.All(stacks, block => Assert.DoesNotContain("details", block.Lines.ToString(), StringComparison.Ordinal));
    }

    [Fact]
    public void Threads_with_the_same_stack_are_folded_and_those_involved_are_not()
    {
        string report = Write(SampleResults.Spinner());
        Assert.Contains("<summary>Stack of 2 threads: 115, 116</summary>", report, StringComparison.Ordinal);
        Assert.Contains("<summary>Stack of thread 114 (0x6710) &quot;OMP worker&quot;, the culprit</summary>", report, StringComparison.Ordinal);
        Assert.Contains("<summary>Stack of thread 107 (0x11ac)</summary>", report, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_not_known_is_named_with_its_reason()
    {
        string missing = Write(SampleResults.Inconclusive()).Replace("\\", string.Empty, StringComparison.Ordinal).Split('\n').Single(line => line.EndsWith(": the dump holds no memory", StringComparison.Ordinal));
        Assert.All(
            new[] { "threads", "loader lock", "process id", "OS build", ".NET runtimes" },
            what => Assert.Contains(what, missing, StringComparison.Ordinal));
    }

    [Fact]
    public void Long_lists_and_stacks_are_cut_and_say_so()
    {
        TriageResult result = SampleResults.Spinner();
        Evidence one = result.Verdict.Evidence[0];
        string report = Write(
            result with { Verdict = result.Verdict with { Evidence = [.. Enumerable.Repeat(one, 7)] } },
            IncidentOptions.Default with { MaxItems = 5, MaxFrames = 2 });
        Assert.Contains("6. and 2 more", report, StringComparison.Ordinal);
        Assert.Contains("... 3 more frames", report, StringComparison.Ordinal);
    }

    /// <summary>The paragraph above the first table.</summary>
    private static ParagraphBlock Title(MarkdownDocument report)
        => report.TakeWhile(block => block is not Table).OfType<ParagraphBlock>().Last();

    private static string Write(TriageResult result, IncidentOptions? options = null)
    {
        using StringWriter writer = new();
        MarkdownReport.Write(result, writer, options);
        return writer.ToString();
    }
}
