namespace HangTriage.Tests.Support.Dumps;

/// <summary>The projects of tests/Suites, one per test framework and runner, whose tests hang where SUITE_HANGS says so.</summary>
public static class TestSuites
{
    public const string Variable = "SUITE_HANGS";

    /// <summary>Names a file that is written when the hang is there.</summary>
    public const string MarkVariable = "SUITE_MARK";

    public static PreparedPart Part { get; } = new(
        "suites",
        "suites",
        () => DotNetPrograms.SourcesOf(Path.Combine(Repository.Root, "tests", "Suites")).Append(Path.Combine(Repository.Root, "Directory.Packages.props")));

    /// <summary>The assembly of that project.</summary>
    public static string Find(string name) => Path.Combine(Part.Find(), "bin", $"Suites.{name}", "debug", $"Suites.{name}.dll");
}
