using System.Text.RegularExpressions;
using Markdig.Extensions.Tables;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>What a Markdown report has no use for: links, emphasis within a sentence, HTML other than what folds.</summary>
internal static partial class MarkdownCheck
{
    private static readonly Type[] s_parts =
    [
        typeof(HeadingBlock), typeof(ParagraphBlock), typeof(ListBlock), typeof(ListItemBlock), typeof(FencedCodeBlock),
        typeof(Table), typeof(TableRow), typeof(TableCell), typeof(ContainerInline), typeof(LiteralInline), typeof(HtmlEntityInline),
    ];

    /// <summary>Nothing where all is well.</summary>
    public static IEnumerable<string> Strange(MarkdownDocument document)
        => document.Descendants().Where(part => !IsKnown(part)).Select(part => $"{part.GetType().Name} in line {part.Line + 1}");

    private static bool IsKnown(MarkdownObject part) => part switch
    {
        EmphasisInline { DelimiterCount: 2, PreviousSibling: null, NextSibling: LiteralInline { Content: var rest } }
            => rest.ToString().StartsWith(':'),
        HtmlBlock block => Folding().IsMatch(block.Lines.ToString()),
        _ => s_parts.Contains(part.GetType()),
    };

    [GeneratedRegex(@"^(</?details>|<summary>[^<]*</summary>|\s)+$")]
    private static partial Regex Folding();
}
