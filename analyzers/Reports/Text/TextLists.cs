using System.Globalization;
using HangTriage.Rules.Claims;

namespace HangTriage.Reports.Text;

/// <summary>Numbered lists below headings, bounded.</summary>
internal sealed class TextLists(TextLines lines, int most)
{
    /// <summary>Nothing for an empty list.</summary>
    public void Write<T>(string heading, IReadOnlyList<T> items, Func<T, Claim> text)
    {
        if (items.Count == 0)
        {
            return;
        }

        Heading(heading);
        foreach ((int number, T item) in items.Take(most).Select((item, index) => (index + 1, item)))
        {
            lines.Wrapped(string.Create(CultureInfo.InvariantCulture, $"{number,4}. "), text(item));
        }

        More(items.Count - most);
    }

    public void Heading(string heading)
    {
        lines.Blank();
        lines.Line(heading);
    }

    public void More(int count)
    {
        if (count > 0)
        {
            lines.Line(string.Create(CultureInfo.InvariantCulture, $"      and {count} more"));
        }
    }
}
