namespace HangTriage.Tests.Support.Dumps;

/// <summary>MonitorDeadlock with a .NET of its own beside it, of a build that is not installed. Published again when a source changes.</summary>
public static class OwnRuntime
{
    public const string Program = "MonitorDeadlock";

    private static readonly string s_sources = Path.Combine(Repository.Root, "samples", Program);
    private static readonly string s_folder = Path.Combine(Repository.Artifacts, "own-runtime");

    /// <summary>The folder with all that the program needs but the system's own libraries.</summary>
    public static async Task<string> FindAsync(CancellationToken cancellation)
    {
        Directory.CreateDirectory(s_folder);
        string stamp = Path.Combine(s_folder, "stamp");
        string published = Path.Combine(s_folder, "app");
        using FileStream mine = await FileGate.EnterAsync(Path.Combine(s_folder, "lock"), cancellation);
        string sources = DotNetPrograms.HashOf(DotNetPrograms.SourcesOf(s_sources));
        if (!File.Exists(stamp) || await File.ReadAllTextAsync(stamp, cancellation) != sources)
        {
            File.Delete(stamp);
            string[] arguments =
            [
                "publish", s_sources, "-nologo", "-verbosity:quiet", "-nodeReuse:false", "-p:SampleFramework=net9.0", "-p:SelfContained=true", "-p:RuntimeIdentifier=linux-x64",
                $"-p:ArtifactsPath={Path.Combine(s_folder, "build")}", "-o", published,
            ];
            await ProjectBuild.RunAsync(Program, arguments, cancellation);
            await File.WriteAllTextAsync(stamp, sources, cancellation);
        }

        return published;
    }
}
