namespace HangTriage.Facts;

/// <summary>Says which pages of docs/rules quote a threshold, and in which words; a test compares.</summary>
/// <param name="words">The words around the number, which <c>{0}</c> stands for.</param>
/// <param name="pages">The rules whose pages have them.</param>
[AttributeUsage(AttributeTargets.Field, AllowMultiple = true)]
public sealed class QuotedAttribute(string words, params string[] pages) : Attribute
{
    public string Words => words;

    public IReadOnlyList<string> Pages => pages;
}
