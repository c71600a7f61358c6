namespace HangTriage.Tests.Support.Dumps;

/// <summary>The programs of tests/Truth: one executable, which is told the program's name.</summary>
public static class TruthPrograms
{
    private static readonly string s_sources = Path.Combine(Repository.Root, "tests", "Truth", "Programs");

    public static PreparedPart Part { get; } = new(
        "truth", Path.Combine("truth", "programs"), () => DotNetPrograms.SourcesOf(s_sources).Append(Path.Combine(s_sources, "Directory.Packages.props")));

    public static string Find() => Path.Combine(Part.Find(), "Truth.Programs");
}
