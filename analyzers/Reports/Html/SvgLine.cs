namespace HangTriage.Reports.Html;

/// <summary>A line of text in a box.</summary>
internal sealed record SvgLine(string Text, bool IsName)
{
    // What fits the width of a box at 13 pixels.
    private const int Longest = 36;

    // A line of a few letters says nothing.
    private static int LastUseful(int space, int dot) => space >= Longest / 3 ? space + 1 : dot >= Longest / 3 ? dot + 1 : Longest;

    /// <summary>Cuts what is too long for a line behind a space or a dot, where there is one.</summary>
    public static IEnumerable<SvgLine> Of(string text, bool isName)
    {
        while (text.Length > Longest)
        {
            int end = LastUseful(text.AsSpan(0, Longest).LastIndexOf(' '), text.AsSpan(0, Longest).LastIndexOfAny('.', '/'));
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
