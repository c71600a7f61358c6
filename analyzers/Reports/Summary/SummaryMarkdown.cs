using System.Globalization;
using HangTriage.Reports.Markdown;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Summary;

/// <summary>A summary as a Markdown table.</summary>
public static class SummaryMarkdown
{
    private const int MostCharacters = 60_000;
    private static readonly string[] s_heads = ["Reports", "Hang", "First seen", "Last seen", "Seen in", "For example"];

    public static void Write(SummaryTable table, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(output);
        IReadOnlyList<SummaryGroup> groups = table.Groups();
        MarkdownPage page = new(output, MostCharacters);
        page.Title("Hangs by signature");
        page.Paragraph(SummaryWords.Head(table, groups));
        if (groups.Count > 0)
        {
            page.Table(s_heads, [.. groups.Select(Row)]);
        }

        page.End();
    }

    private static IReadOnlyList<Claim> Row(SummaryGroup group) =>
    [
        group.Count.ToString(CultureInfo.InvariantCulture),
        $"{SummaryWords.Kind(group)}, {SummaryWords.Name(group)}: {group.Representative.Title}",
        group.FirstSeen is { } first ? SummaryWords.Instant(first) : "unknown",
        group.LastSeen is { } last ? SummaryWords.Instant(last) : "unknown",
        SummaryWords.Where(group) ?? "unknown",
        group.Representative.Place,
    ];
}
