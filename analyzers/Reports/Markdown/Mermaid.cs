using System.Globalization;
using System.Text;
using HangTriage.Reports.Graph;

namespace HangTriage.Reports.Markdown;

/// <summary>Writes a picture in the language of Mermaid, which forges draw. Every character of a label that could mean something is a number.</summary>
internal static class Mermaid
{
    private const char SetMinus = '\u2216';

    public static string Of(WaitPicture picture)
    {
        StringBuilder text = new("flowchart TD\n");
        foreach ((PictureNode node, int index) in picture.Nodes.Select((node, index) => (node, index)))
        {
            (string open, string close) = Shape(node.Kind);
            string label = string.Join("<br/>", node.Lines.Select(Escape));
            text.Append(CultureInfo.InvariantCulture, $"  n{index}{open}\"{label}\"{close}\n");
        }

        foreach (PictureEdge edge in picture.Edges)
        {
            (string start, string arrow) = edge.IsIndirect ? ("-.", ".->") : ("--", "-->");
            text.Append(CultureInfo.InvariantCulture, $"  n{edge.From} {start} \"{Escape(PictureLines.Line(edge.Text))}\" {arrow} n{edge.To}\n");
        }

        text.Append("  classDef culprit stroke:#d1242f,stroke-width:3px\n");
        foreach ((PictureNode node, int index) in picture.Nodes.Select((node, index) => (node, index)).Where(pair => pair.node.IsCulprit))
        {
            text.Append(CultureInfo.InvariantCulture, $"  class n{index} culprit\n");
        }

        return text.ToString();
    }

    /// <summary>
    /// ASCII letters, digits and spaces as they are, everything else as Mermaid's entity of its number. A backslash becomes the set minus,
    /// which looks the same: Mermaid 11 makes a line break of \n even where the backslash is written as an entity.
    /// </summary>
    public static string Escape(string text)
    {
        StringBuilder escaped = new(text.Length + 16);
        foreach (Rune rune in Printable.Line(text).Replace('\\', SetMinus).EnumerateRunes())
        {
            if (rune.IsAscii && (char.IsAsciiLetterOrDigit((char)rune.Value) || rune.Value == ' '))
            {
                escaped.Append((char)rune.Value);
            }
            else
            {
                escaped.Append(CultureInfo.InvariantCulture, $"#{rune.Value};");
            }
        }

        return escaped.ToString();
    }

    private static (string Open, string Close) Shape(PictureNodeKind kind) => kind switch
    {
        PictureNodeKind.Crowd => ("[[", "]]"),
        PictureNodeKind.Lock => ("{{", "}}"),
        PictureNodeKind.Task => ("([", "])"),
        PictureNodeKind.Pool => ("[(", ")]"),
        _ => ("[", "]"),
    };
}
