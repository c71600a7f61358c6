namespace HangTriage.Tests.Support.Samples;

/// <summary>The samples of the checkout, by how they are built.</summary>
public static class SampleList
{
    /// <summary>C programs for Windows.</summary>
    public static IReadOnlyList<string> Native { get; } = Names("main.c");

    /// <summary>.NET programs for every system.</summary>
    public static IReadOnlyList<string> Managed { get; } = Names("*.csproj");

    /// <summary>.NET programs for Linux alone.</summary>
    public static IReadOnlyList<string> OfLinux { get; } = [.. Names("*.csproj", "Linux").Select(name => $"Linux/{name}")];

    private static IReadOnlyList<string> Names(string pattern, string folder = "")
        =>
        [
            .. Directory.GetDirectories(Path.Combine(Repository.Root, "samples", folder))
                .Where(sample => Directory.GetFiles(sample, pattern).Length > 0)
                .Select(sample => Path.GetFileName(sample)!)
                .Order(StringComparer.Ordinal),
        ];
}
