namespace HangTriage.Tests.Support.Dumps;

/// <summary>The web service of tests/WebService, as <c>dotnet run</c> starts it. Built again when a source changes.</summary>
public static class WebService
{
    private static readonly string s_sources = Path.Combine(Repository.Root, "tests", "WebService");
    private static readonly string s_folder = Path.Combine(Repository.Artifacts, "web-service");

    /// <summary>The command that starts it, with nothing left to compile.</summary>
    public static async Task<string[]> CommandAsync(CancellationToken cancellation)
    {
        Directory.CreateDirectory(s_folder);
        string stamp = Path.Combine(s_folder, "stamp");
        using FileStream mine = await FileGate.EnterAsync(Path.Combine(s_folder, "lock"), cancellation);
        string sources = DotNetPrograms.HashOf(DotNetPrograms.SourcesOf(s_sources));
        if (!File.Exists(stamp) || await File.ReadAllTextAsync(stamp, cancellation) != sources)
        {
            File.Delete(stamp);
            await ProjectBuild.RunAsync("the web service", ["build", s_sources, "-nodeReuse:false", "-p:UseSharedCompilation=false", "-nologo", "-verbosity:quiet"], cancellation);
            await File.WriteAllTextAsync(stamp, sources, cancellation);
        }

        return ["dotnet", "run", "--project", s_sources];
    }
}
