using System.Text.RegularExpressions;
using HangTriage.Reports.Graph;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Samples;
using Markdig.Syntax;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>
/// What every sample's reports say: its text, and its judgement without words. Of the other formats three samples show the layout;
/// <see cref="ReportPropertyTests"/> holds for the rest. UPDATE_GOLDEN=1 makes the files anew.
/// </summary>
public sealed partial class StoredSampleTests
{
    private const string Folder = "tests/Unit/Reports/golden/samples/";

    /// <summary>A circle of locks, a pool with async methods that wait, and a process that is well.</summary>
    private static readonly string[] s_layouts = ["MonitorDeadlock", "PoolStarvation", "Healthy"];

    public static TheoryData<string> Names { get; } = [.. StoredSamples.Names];

    public static TheoryData<string> Layouts { get; } = [.. s_layouts];

    private static string Samples => Path.Combine(Repository.Root, "samples");

    [Theory]
    [MemberData(nameof(Names))]
    public void Its_text_is_what_was_agreed(string name) => Assert.Null(Golden.Difference($"{Folder}{name}.txt", StoredSamples.Text(name)));

    [Theory]
    [MemberData(nameof(Names))]
    public void Its_judgement_is_what_was_agreed(string name)
        => Assert.Null(Golden.Difference($"{Folder}{name}.verdict.json", WordlessVerdict.Of(StoredSamples.Json(name))));

    [Theory]
    [MemberData(nameof(Layouts))]
    public void Its_layout_is_what_was_agreed(string name)
        => Assert.Empty(new[]
        {
            Golden.Difference($"{Folder}{name}.md", StoredSamples.Markdown(name)),
            Golden.Difference($"{Folder}{name}.html", StoredSamples.Html(name)),
        }.OfType<string>());

    [Fact]
    public void No_file_is_left_that_no_test_compares()
        => Assert.Equal(
            StoredSamples.Names.SelectMany(name => new[] { $"{name}.txt", $"{name}.verdict.json" })
                .Concat(s_layouts.SelectMany(name => new[] { $"{name}.md", $"{name}.html" }))
                .Order(StringComparer.Ordinal),
            Directory.GetFiles(Path.Combine(Repository.Root, Folder)).Select(Path.GetFileName).Order(StringComparer.Ordinal));

    /// <summary>The samples of Windows/ need a .NET of Windows to be read.</summary>
    [Fact]
    public void Every_sample_is_stored()
        => Assert.Equal(
            Directory.GetFiles(Samples, "expected.json", SearchOption.AllDirectories)
                .Select(file => Path.GetRelativePath(Samples, Path.GetDirectoryName(file)!).Replace('\\', '/'))
                .Where(name => !name.StartsWith("Windows/", StringComparison.Ordinal))
                .Select(name => name[(name.LastIndexOf('/') + 1)..])
                .Order(StringComparer.Ordinal),
            StoredSamples.Names);

    [Theory]
    [MemberData(nameof(Names))]
    public void What_is_stored_shows_what_the_sample_is_for(string name)
    {
        ExpectedVerdict expected = ExpectedVerdict.Of(Directory.Exists(Path.Combine(Samples, name)) ? name : "Linux/" + name);
        Verdict verdict = StoredSamples.Result(name).Verdict;

        Assert.Equal((expected.Kind, expected.Rule), (verdict.Kind.ToString(), verdict.Rule?.Id));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Its_JSON_fulfils_the_schema(string name) => Assert.Empty(ReportSchema.Errors(StoredSamples.Json(name)));

    [Theory]
    [MemberData(nameof(Names))]
    public void Its_Markdown_is_a_title_sections_and_one_graph_where_something_waits(string name)
    {
        string report = StoredSamples.Markdown(name);
        MarkdownDocument document = MarkdownSkeleton.Parse(report);

        Assert.Single(document.Descendants<HeadingBlock>(), heading => heading.Level == 1);
        Assert.Equal(
            WaitPictureBuilder.Of(StoredSamples.Result(name)) is null ? 0 : 1,
            document.Descendants<FencedCodeBlock>().Count(block => block.Info == "mermaid"));
        Assert.All(document.Descendants<HtmlBlock>(), block => Assert.Matches("^(</?details>|<summary>.*</summary>|\\s)+$", block.Lines.ToString()));
        Assert.InRange(report.Length, 500, 60_000);
    }

    /// <summary>Only a name that is longer than a line leaves it.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void No_line_is_wider_than_the_terminal_and_no_sentence_is_cut(string name)
        => Assert.All([80, 120, 200], width =>
        {
            string text = StoredSamples.Text(name, TextReportOptions.Default with { Width = width });
            Assert.All(text.Split('\n'), line => Assert.True(line.Length <= width || !line.Trim().Contains(' ', StringComparison.Ordinal), $"{width}: {line}"));
            Assert.Equal(Words(Head(StoredSamples.Text(name))), Words(Head(text)));
        });

    [Fact]
    public void Different_samples_have_different_signatures()
    {
        (string Name, string Hash)[] hangs =
        [
            .. StoredSamples.Names.Where(name => StoredSamples.Result(name).Verdict.Rule is not null).Select(name => (name, StoredSamples.Result(name).Verdict.Signature.Hash)),
        ];

        Assert.True(hangs.Length >= 30, $"{hangs.Length} hangs");
        Assert.Empty(hangs.GroupBy(hang => hang.Hash).Where(group => group.Count() > 1).Select(group => string.Join(" and ", group.Select(hang => hang.Name))));
    }

    /// <summary>A title is read at a glance; the chain has the rest.</summary>
    [Theory]
    [MemberData(nameof(Names))]
    public void Its_title_is_no_paragraph(string name) => Assert.InRange(StoredSamples.Result(name).Verdict.Title.Text.Length, 20, 320);

    /// <summary>The first screen, without its frame of equal signs: up to the stacks or what comes in their place.</summary>
    private static string Head(string text) => text.Split("\nStack of ")[0].Split("\nEvidence")[0].Split("\nWhat could not be seen")[0].Split("\nThreads by")[0].Replace("=", string.Empty, StringComparison.Ordinal);

    private static string Words(string text) => Spaces().Replace(text, " ").Trim();

    [GeneratedRegex("\\s+")]
    private static partial Regex Spaces();
}
