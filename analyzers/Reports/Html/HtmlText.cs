using System.Text;

namespace HangTriage.Reports.Html;

/// <summary>Escapes text for HTML: between tags and in quoted attributes. The result is one line of visible characters.</summary>
internal static class HtmlText
{
    public static string Escape(string text)
    {
        string line = Printable.Line(text);
        StringBuilder escaped = new(line.Length + 16);
        foreach (char letter in line)
        {
            _ = letter switch
            {
                '&' => escaped.Append("&amp;"),
                '<' => escaped.Append("&lt;"),
                '>' => escaped.Append("&gt;"),
                '"' => escaped.Append("&quot;"),
                '\'' => escaped.Append("&#39;"),
                _ => escaped.Append(letter),
            };
        }

        return escaped.ToString();
    }
}
