using System.Globalization;
using HangTriage.Reports.Text;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Summary;

/// <summary>A summary for a terminal.</summary>
public static class SummaryText
{
    public static void Write(SummaryTable table, TextWriter output, int width)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(output);
        TextLines lines = new(output, width);
        IReadOnlyList<SummaryGroup> groups = table.Groups();
        lines.Wrapped(string.Empty, SummaryWords.Head(table, groups));
        foreach ((SummaryGroup group, int number) in groups.Select((group, index) => (group, index + 1)))
        {
            lines.Blank();
            lines.Wrapped(string.Create(CultureInfo.InvariantCulture, $"{number,4}. "), string.Create(CultureInfo.InvariantCulture, $"{group.Count} x {SummaryWords.Kind(group)}, {SummaryWords.Name(group)}"));
            foreach (string line in new[] { group.Representative.Title, SummaryWords.Frames(group), SummaryWords.Seen(group), SummaryWords.Where(group), SummaryWords.Example(group) }.OfType<string>())
            {
                lines.Wrapped("      ", Claim.Of(line));
            }
        }
    }
}
