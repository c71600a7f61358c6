using System.Globalization;
using System.Text;

namespace HangTriage.Reports;

/// <summary>
/// Makes text that came from a target safe to show: names in a dump can hold line ends, terminal sequences and
/// characters that reorder what follows. Such characters are written as escapes, and over-long text is cut.
/// </summary>
public static class Printable
{
    /// <summary>Text is cut after so many characters.</summary>
    public const int Longest = 2_048;

    /// <summary>Visible ASCII only, for terminals and debuggers that drop the rest; everything else as \x1b, \u00e9 or \U0001f600.</summary>
    public static string Ascii(string text) => Clean(text, static rune => rune.Value is >= 0x20 and < 0x7f);

    /// <summary>One line of visible Unicode; control, format, private and unassigned characters as escapes.</summary>
    public static string Line(string text) => Clean(text, static rune => rune.IsAscii ? rune.Value is >= 0x20 and < 0x7f : IsVisible(rune));

    private static bool IsVisible(Rune rune) => Rune.GetUnicodeCategory(rune) is not (
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.Surrogate or UnicodeCategory.PrivateUse
        or UnicodeCategory.OtherNotAssigned or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator
        or UnicodeCategory.SpaceSeparator);

    private static string Clean(string text, Func<Rune, bool> isShown)
    {
        ArgumentNullException.ThrowIfNull(text);
        int cut = text.Length - Longest;
        ReadOnlySpan<char> kept = cut > 0 ? text.AsSpan(0, Longest) : text;
        StringBuilder clean = new(kept.Length);
        foreach (Rune rune in kept.EnumerateRunes())
        {
            if (isShown(rune))
            {
                clean.Append(rune.ToString());
            }
            else
            {
                clean.Append(Escape(rune.Value));
            }
        }

        return cut > 0
            ? clean.Append(CultureInfo.InvariantCulture, $"... ({cut} characters more)").ToString()
            : clean.ToString();
    }

    private static string Escape(int value) => value switch
    {
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        <= 0xff => "\\x" + value.ToString("x2", CultureInfo.InvariantCulture),
        <= 0xffff => "\\u" + value.ToString("x4", CultureInfo.InvariantCulture),
        _ => "\\U" + value.ToString("x8", CultureInfo.InvariantCulture),
    };
}
