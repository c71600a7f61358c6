using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.Support.Cli;

/// <summary>
/// The tool as people install it, compiled ahead: each of the many runs of a test run then takes half of the processor time. tests/Prepare
/// makes it; where it is older than the sources, tests run the build that lies beside them.
/// </summary>
public static class PublishedTool
{
    private static readonly string[] s_folders = ["analyzers", "extension", "host-cli"];

    public static PreparedPart Part { get; } = new("tool", Path.Combine("tool", "published"), Sources);

    /// <summary>Null where it is not made of the sources as they are.</summary>
    public static string? Assembly { get; } = Part.IsMade ? Path.Combine(Part.Find(), "triage.dll") : null;

    private static IEnumerable<string> Sources()
        => s_folders.Append(Path.Combine("docs", "rules"))
            .SelectMany(folder => Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*", SearchOption.AllDirectories))
            .Concat(Directory.EnumerateFiles(Repository.Root, "Directory.*"));
}
