using System.Text;
using Markdig;
using Markdig.Syntax;
using Markdig.Syntax.Inlines;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>A Markdown document as a reader sees it, with every text replaced by one mark: what is left is its markup.</summary>
internal static class MarkdownSkeleton
{
    private static readonly MarkdownPipeline s_reader = new MarkdownPipelineBuilder()
        .UsePipeTables().UseAutoLinks().UseEmphasisExtras().UseTaskLists().UseFootnotes().UseMathematics()
        .UseAlertBlocks().UseAbbreviations().UseDefinitionLists().UseGenericAttributes().Build();

    public static MarkdownDocument Parse(string markdown) => Markdown.Parse(markdown, s_reader);

    public static string Html(string markdown) => Markdown.ToHtml(markdown, s_reader);

    public static string Of(string markdown) => Of(Parse(markdown));

    public static string Of(MarkdownDocument document)
    {
        StringBuilder skeleton = new();
        bool isBehindText = false;
        foreach (MarkdownObject part in document.Descendants())
        {
            bool isText = part is LiteralInline or HtmlEntityInline;
            if (!isText || !isBehindText)
            {
                skeleton.Append(isText ? "text" : part.GetType().Name).Append(' ');
            }

            isBehindText = isText;
        }

        return skeleton.ToString();
    }

    /// <summary>The words that a reader sees in a block.</summary>
    public static string Text(LeafBlock block)
        => string.Concat(block.Inline!.Select(inline => inline switch
        {
            LiteralInline literal => literal.Content.ToString(),
            HtmlEntityInline entity => entity.Transcoded.ToString(),
            _ => $"<{inline.GetType().Name}>",
        }));
}
