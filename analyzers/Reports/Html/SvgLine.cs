namespace HangTriage.Reports.Html;

/// <summary>A line of text in a box.</summary>
internal sealed record SvgLine(string Text, bool IsName)
{
    // What fits the width of a box at 13 pixels.
    private const int Longest = 36;

    /// <summary>Cuts what is too long for a line behind a space or a dot, where there is one.</summary>
    public static IEnumerable<SvgLine> Of(string text, bool isName)
    {
        while (text.Length > Longest)
        {
            int end = text.AsSpan(0, Longest).LastIndexOfAny(' ', '.', '/');
            end = end < Longest / 3 ? Longest : end + 1;
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
