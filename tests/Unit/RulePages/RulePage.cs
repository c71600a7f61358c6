using HangTriage.Tests.Support;
using Markdig;
using Markdig.Syntax;

namespace HangTriage.Tests.Unit.RulePages;

/// <summary>The page of a rule in docs/rules, with its examples: a block of facts, and the verdict that must follow from it.</summary>
public sealed record RulePage(string Id, IReadOnlyList<string> Headings, IReadOnlyList<PageExample> Examples)
{
    public static IReadOnlyList<string> Ids { get; } =
    [
        .. Directory.GetFiles(Folder, "HT*.md").Select(path => Path.GetFileNameWithoutExtension(path)).Order(StringComparer.Ordinal),
    ];

    private static string Folder => Path.Combine(Repository.Root, "docs", "rules");

    public static RulePage Read(string id)
    {
        MarkdownDocument document = Markdown.Parse(File.ReadAllText(Path.Combine(Folder, id + ".md")));
        string[] headings = [.. document.OfType<HeadingBlock>().Select(heading => heading.Inline?.FirstChild?.ToString() ?? string.Empty)];
        FencedCodeBlock[] blocks = [.. document.OfType<FencedCodeBlock>().Where(block => block.Info is "facts" or "verdict")];
        return new RulePage(id, headings, [.. blocks.Chunk(2).Select(pair => Example(id, pair))]);
    }

    private static PageExample Example(string id, FencedCodeBlock[] pair)
        => pair is [{ Info: "facts" } facts, { Info: "verdict" } verdict]
            ? new PageExample(Lines(facts), Lines(verdict))
            : throw new FormatException($"{id}.md, line {pair[0].Line + 1}: a block of facts is followed by one of a verdict");

    private static string[] Lines(FencedCodeBlock block)
        => [.. block.Lines.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries)];
}
