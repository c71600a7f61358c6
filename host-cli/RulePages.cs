using System.Reflection;

namespace HangTriage.Cli;

/// <summary>The pages of docs/rules, which the tool carries in itself.</summary>
internal static class RulePages
{
    private const string Prefix = "rules/";
    private const string Suffix = ".md";
    private const string Examples = "\n## Examples\n";

    public static IReadOnlyList<string> Ids { get; } =
    [
        .. Assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal) && name.EndsWith(Suffix, StringComparison.Ordinal))
            .Select(name => name[Prefix.Length..^Suffix.Length])
            .Order(StringComparer.Ordinal),
    ];

    private static Assembly Assembly => typeof(RulePages).Assembly;

    /// <summary>The page without its last part, whose examples are written for tests; null where there is no page for this rule.</summary>
    public static string? ForReaders(string id)
        => Find(id) is { } page ? page.IndexOf(Examples, StringComparison.Ordinal) is > 0 and int end ? page[..end] : page : null;

    /// <summary>Null where there is no page for this rule.</summary>
    public static string? Find(string id)
    {
        using Stream? page = Assembly.GetManifestResourceStream(Prefix + id + Suffix);
        if (page is null)
        {
            return null;
        }

        using StreamReader reader = new(page);
        return reader.ReadToEnd();
    }
}
