namespace HangTriage.Rules.Claims;

internal static class Sentence
{
    /// <summary>The text with its first letter as a capital.</summary>
    public static string Of(string text) => text.Length == 0 ? text : char.ToUpperInvariant(text[0]) + text[1..];
}
