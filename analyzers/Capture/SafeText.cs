using System.Globalization;
using System.Text;

namespace HangTriage.Capture;

/// <summary>Makes names from a target fit to print: a dump can be made to write to the terminal of whoever reads it.</summary>
internal static class SafeText
{
    private const char Replacement = '\uFFFD';

    /// <summary>Replaces control characters, line breaks, direction overrides and half surrogates.</summary>
    public static string Clean(ReadOnlySpan<char> text)
    {
        if (!NeedsCleaning(text))
        {
            return text.ToString();
        }

        StringBuilder clean = new(text.Length);
        for (int i = 0; i < text.Length; i++)
        {
            char c = text[i];
            if (char.IsHighSurrogate(c) && i + 1 < text.Length && char.IsLowSurrogate(text[i + 1]))
            {
                clean.Append(c).Append(text[++i]);
            }
            else
            {
                clean.Append(IsHarmless(c) ? c : Replacement);
            }
        }

        return clean.ToString();
    }

    /// <summary>The part behind the last folder separator, cleaned: the folder can name a user.</summary>
    public static string FileName(ReadOnlySpan<char> path)
    {
        int separator = path.LastIndexOfAny('\\', '/');
        return Clean(path[(separator + 1)..]);
    }

    private static bool NeedsCleaning(ReadOnlySpan<char> text)
    {
        foreach (char c in text)
        {
            if (!IsHarmless(c))
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsHarmless(char c)
        => c is >= ' ' and <= '~'
            || (c > '\u009F'
                && !char.IsSurrogate(c)
                && c is not ((>= '\u200E' and <= '\u200F') or (>= '\u202A' and <= '\u202E') or (>= '\u2066' and <= '\u2069'))
                && CharUnicodeInfo.GetUnicodeCategory(c) is not (UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator));
}
