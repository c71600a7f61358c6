namespace HangTriage.Tests.Support.Dumps;

/// <summary>The projects of tests/Suites, one per test framework and runner, whose tests hang where SUITE_HANGS says so. Built again when a source changes.</summary>
public static class TestSuites
{
    public const string Variable = "SUITE_HANGS";

    /// <summary>Names a file that is written when the hang is there.</summary>
    public const string MarkVariable = "SUITE_MARK";

    private static readonly string s_sources = Path.Combine(Repository.Root, "tests", "Suites");
    private static readonly string s_folder = Path.Combine(Repository.Artifacts, "suites");

    /// <summary>The assembly of that project.</summary>
    public static async Task<string> FindAsync(string name, CancellationToken cancellation)
    {
        Directory.CreateDirectory(s_folder);
        string stamp = Path.Combine(s_folder, "stamp");
        using FileStream mine = await FileGate.EnterAsync(Path.Combine(s_folder, "lock"), cancellation);
        string sources = DotNetPrograms.HashOf(DotNetPrograms.SourcesOf(s_sources).Append(Path.Combine(Repository.Root, "Directory.Packages.props")));
        if (!File.Exists(stamp) || await File.ReadAllTextAsync(stamp, cancellation) != sources)
        {
            File.Delete(stamp);
            await ProjectBuild.RunAsync("the test projects", ["msbuild", Path.Combine(s_sources, "Suites.proj"), "-maxCpuCount:2", "-nodeReuse:false", "-nologo", "-verbosity:quiet"], cancellation);
            await File.WriteAllTextAsync(stamp, sources, cancellation);
        }

        return Path.Combine(s_folder, "bin", $"Suites.{name}", "debug", $"Suites.{name}.dll");
    }
}
