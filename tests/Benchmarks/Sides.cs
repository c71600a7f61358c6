using System.Diagnostics;
using HangTriage.Tests.Support;

namespace HangTriage.Benchmarks;

/// <summary>The two programs that are compared.</summary>
internal sealed class Sides : IDisposable
{
    private readonly Process _keeper;

    /// <param name="dumps">Has the program that keeps Wine warm.</param>
    /// <param name="progress">Says what takes long.</param>
    public Sides(Dumps dumps, TextWriter progress)
    {
        progress.WriteLine("publishing the tool");
        Publish();

        // While one Windows program runs, Wine's server and services do: the engine is not charged for starting them.
        IReadOnlyList<string> command = Lab.CommandOf(["run", dumps.Program(), "--", "0", "2"]);
        _keeper = Process.Start(new ProcessStartInfo(command[0], command.Skip(1)) { RedirectStandardOutput = true })!;
        if (_keeper.StandardOutput.ReadLine() != "READY")
        {
            throw new InvalidOperationException("Wine does not run the program that keeps it warm.");
        }
    }

    private static string Tool => Path.Combine(Benchmarks.Folder, "tool");

    /// <summary>The tool's verdict, as scripts ask for it.</summary>
    public static WholeProcess Ours(string dump) => new([Path.Combine(Tool, "triage"), "analyze", dump, "--format", "json"], LastGoodCode: 2);

    /// <summary>The engine's stacks of every thread of the same file.</summary>
    public static WholeProcess Peer(string dump) => new(Lab.CommandOf(["engine", dump, "~*k"]), LastGoodCode: 0);

    public void Dispose()
    {
        _keeper.Kill(entireProcessTree: true);
        _keeper.WaitForExit();
        _keeper.Dispose();
    }

    // With its own .NET: the project then compiles all of it ahead, collections of our types in the framework among it.
    // On an installed framework those are compiled at every start.
    private static void Publish()
        => ShortCommand.Output("dotnet", [
            "publish", Path.Combine(Repository.Root, "host-cli"), "-c", "Release", "-r", "linux-x64", "--self-contained", "true",
            "-o", Tool, "--nologo", "-v", "quiet",
        ]);
}
