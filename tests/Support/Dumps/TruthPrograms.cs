namespace HangTriage.Tests.Support.Dumps;

/// <summary>The programs of tests/Truth, published when they are wanted; again when a source changes.</summary>
public static class TruthPrograms
{
    private const string Name = "Truth.Programs";

    private static readonly string s_folder = Path.Combine(Repository.Artifacts, "truth");

    /// <summary>The executable.</summary>
    public static async Task<string> FindAsync(CancellationToken cancellation)
    {
        string project = Path.Combine(Repository.Root, "tests", "Truth", "Programs");
        string published = Path.Combine(s_folder, "programs");
        string stamp = published + ".stamp";
        Directory.CreateDirectory(published);
        using FileStream mine = await FileGate.EnterAsync(published + ".lock", cancellation);
        string sources = DotNetPrograms.HashOf(DotNetPrograms.SourcesOf(project).Append(Path.Combine(project, "Directory.Packages.props")));
        if (!File.Exists(stamp) || await File.ReadAllTextAsync(stamp, cancellation) != sources)
        {
            File.Delete(stamp);
            string[] arguments =
            [
                "publish", Path.Combine(project, Name + ".csproj"), "-c", "Release", "-o", published, "-maxCpuCount:2", "-nodeReuse:false", "-nologo", "-verbosity:quiet",
                $"-p:ArtifactsPath={Path.Combine(s_folder, "build")}",
            ];
            await ProjectBuild.RunAsync("the programs of tests/Truth", arguments, cancellation);
            await File.WriteAllTextAsync(stamp, sources, cancellation);
        }

        return Path.Combine(published, Name);
    }
}
