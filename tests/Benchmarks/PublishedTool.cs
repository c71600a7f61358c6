using HangTriage.Tests.Support;

namespace HangTriage.Benchmarks;

/// <summary>The tool as it is published.</summary>
internal static class PublishedTool
{
    private static bool s_made;

    private static string Folder => Path.Combine(Benchmarks.Folder, "tool");

    // With its own .NET: the project then compiles all of it ahead, collections of our types in the framework among it.
    // On an installed framework those are compiled at every start.
    public static void Make(TextWriter progress)
    {
        if (!s_made)
        {
            progress.WriteLine("publishing the tool");
            Publish(Path.Combine(Repository.Root, "host-cli"), Folder);
            s_made = true;
        }
    }

    /// <summary>The tool's verdict, as scripts ask for it.</summary>
    public static WholeProcess Analyze(string dump, IReadOnlyList<string> arguments) => Analyze(Folder, dump, arguments);

    /// <summary>The verdict of a tool that was published in another folder.</summary>
    public static WholeProcess Analyze(string folder, string dump, IReadOnlyList<string> arguments)
        => new([ProgramIn(folder), "analyze", dump, "--format", "json", .. arguments], LastGoodCode: 2);

    public static string ProgramIn(string folder) => Path.Combine(folder, "triage");

    public static void Publish(string project, string folder)
        => ShortCommand.Output("dotnet", [
            "publish", project, "-c", "Release", "-r", "linux-x64", "--self-contained", "true", "-o", folder, "--nologo", "-v", "quiet",
        ]);
}
