namespace HangTriage.Reports;

internal static class Shorten
{
    private const string Cut = "...";

    /// <summary>The text, cut where it is longer; a cut is shown.</summary>
    public static string To(string text, int longest)
    {
        if (text.Length <= longest)
        {
            return text;
        }

        int end = longest - Cut.Length;
        return text[..(char.IsHighSurrogate(text[end - 1]) ? end - 1 : end)] + Cut;
    }
}
