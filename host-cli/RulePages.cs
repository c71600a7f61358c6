using System.Reflection;

namespace HangTriage.Cli;

/// <summary>The pages of docs/rules, which the tool carries in itself.</summary>
internal static class RulePages
{
    private const string Prefix = "rules/";
    private const string Suffix = ".md";

    public static IReadOnlyList<string> Ids { get; } =
    [
        .. Assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal) && name.EndsWith(Suffix, StringComparison.Ordinal))
            .Select(name => name[Prefix.Length..^Suffix.Length])
            .Order(StringComparer.Ordinal),
    ];

    private static Assembly Assembly => typeof(RulePages).Assembly;

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
