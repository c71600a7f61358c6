namespace HangTriage.Reports.Html;

/// <summary>A line of text in a box.</summary>
internal sealed record SvgLine(string Text, bool IsName)
{
    // What fits the width of a box at 13 pixels in a wide font, and of a name, which is bold.
    private const int Longest = 34;
    private const int LongestName = 30;

    // A line of a few letters says nothing.
    private static int LastUseful(int space, int dot, int longest) => space >= longest / 3 ? space + 1 : dot >= longest / 3 ? dot + 1 : longest;

    /// <summary>Cuts what is too long for a line behind a space or a dot, where there is one.</summary>
    public static IEnumerable<SvgLine> Of(string text, bool isName)
    {
        int longest = isName ? LongestName : Longest;
        while (text.Length > longest)
        {
            int end = LastUseful(text.AsSpan(0, longest).LastIndexOf(' '), text.AsSpan(0, longest).LastIndexOfAny('.', '/'), longest);
            end -= char.IsHighSurrogate(text[end - 1]) ? 1 : 0;
            yield return new SvgLine(text[..end].Trim(), isName);
            text = text[end..].TrimStart();
        }

        if (text.Length > 0)
        {
            yield return new SvgLine(text, isName);
        }
    }
}
