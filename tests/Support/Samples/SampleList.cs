namespace HangTriage.Tests.Support.Samples;

/// <summary>The samples of the checkout, by how they are built.</summary>
public static class SampleList
{
    /// <summary>C programs for Windows.</summary>
    public static IReadOnlyList<string> Native { get; } = Names("main.c");

    /// <summary>.NET programs for every system.</summary>
    public static IReadOnlyList<string> Managed { get; } = Names("*.csproj");

    private static IReadOnlyList<string> Names(string pattern)
        =>
        [
            .. Directory.GetDirectories(Path.Combine(Repository.Root, "samples"))
                .Where(folder => Directory.GetFiles(folder, pattern).Length > 0)
                .Select(folder => Path.GetFileName(folder)!)
                .Order(StringComparer.Ordinal),
        ];
}
