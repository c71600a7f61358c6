using HangTriage.Tests.Support;

namespace HangTriage.Benchmarks;

/// <summary>The tool as it is published.</summary>
internal static class PublishedTool
{
    private static bool s_made;

    public static string Program => ProgramIn(Folder);

    private static string Folder => Path.Combine(Benchmarks.Folder, "tool");

    // With its own .NET: the project then compiles all of it ahead, collections of our types in the framework among it.
    // On an installed framework those are compiled at every start.
    public static void Make(TextWriter progress)
    {
        if (!s_made && !IsGiven)
        {
            progress.WriteLine("publishing the tool");
            Publish(Path.Combine(Repository.Root, "host-cli"), Folder);
            s_made = true;
        }
    }

    /// <summary>The tool's verdict, as scripts ask for it.</summary>
    public static WholeProcess Analyze(string dump, IReadOnlyList<string> arguments) => Analyze(Folder, dump, arguments);

    /// <summary>What a trace says.</summary>
    public static WholeProcess Trace(string trace) => new([ProgramIn(Folder), "trace", trace, "--format", "json"], LastGoodCode: 0);

    /// <summary>Many reports in groups.</summary>
    public static WholeProcess Summary(string reports) => new([ProgramIn(Folder), "summary", reports], LastGoodCode: 0);

    /// <summary>The verdict of a tool that was published in another folder.</summary>
    public static WholeProcess Analyze(string folder, string dump, IReadOnlyList<string> arguments)
        => new([ProgramIn(folder), "analyze", dump, "--format", "json", .. arguments], LastGoodCode: 2);

    // What another program published for this run: publishing takes minutes.
    private static bool IsGiven => Environment.GetEnvironmentVariable("TRIAGE_PUBLISHED") == "1" && File.Exists(ProgramIn(Folder));

    public static string ProgramIn(string folder) => Path.Combine(folder, "triage");

    public static void Publish(string project, string folder)
        => ShortCommand.Output("dotnet", [
            "publish", project, "-c", "Release", "-r", "linux-x64", "--self-contained", "true", "-o", folder, "--nologo", "-v", "quiet",
        ]);
}
