using System.Text;

namespace HangTriage.Reports.Markdown;

/// <summary>
/// Escapes text so that a Markdown reader (CommonMark, GitHub's tables, maths and autolinks) shows exactly that text.
/// The result is one line, safe in a paragraph, a list item and a table cell.
/// </summary>
internal static class MarkdownText
{
    public static string Escape(string text)
    {
        string line = Printable.Line(text).Trim();
        StringBuilder escaped = new(line.Length + 16);
        for (int i = 0; i < line.Length; i++)
        {
            switch (line[i])
            {
                case '&':
                    escaped.Append("&amp;");
                    break;
                case '<':
                    escaped.Append("&lt;");
                    break;
                case '>':
                    escaped.Append("&gt;");
                    break;
                case char mark when NeedsBackslash(line, i):
                    escaped.Append('\\').Append(mark);
                    break;
                case char other:
                    escaped.Append(other);
                    break;
            }
        }

        return escaped.ToString();
    }

    private static bool NeedsBackslash(string line, int i)
    {
        char mark = line[i];
        return mark switch
        {
            '\\' or '`' or '*' or '[' or ']' or '{' or '}' or '|' or '~' or '$' or '^' or '@' => true,

            // Between letters or digits it is no emphasis, and mkl_malloc stays readable.
            '_' => !(IsWord(line, i - 1) && IsWord(line, i + 1)),

            // Repeated they are marks of Markdown dialects; first in a line they open lists, headings and rules.
            '+' or '=' or '-' or '#' or '"' or '\'' => i == 0 || line[i - 1] == mark || (i + 1 < line.Length && line[i + 1] == mark),

            // https:// and www. become links by themselves, and a colon first in a line opens a definition.
            ':' => i == 0 || string.CompareOrdinal(line, i, "://", 0, 3) == 0 || line.AsSpan(0, i).EndsWith("mailto", StringComparison.OrdinalIgnoreCase),
            '.' => line.AsSpan(0, i).EndsWith("www", StringComparison.OrdinalIgnoreCase) || IsNumber(line.AsSpan(0, i)),
            ')' => IsNumber(line.AsSpan(0, i)),
            _ => false,
        };
    }

    private static bool IsNumber(ReadOnlySpan<char> text) => text.Length > 0 && !text.ContainsAnyExceptInRange('0', '9');

    private static bool IsWord(string line, int i) => i >= 0 && i < line.Length && char.IsLetterOrDigit(line[i]);
}
