using System.Diagnostics;

namespace HangTriage.Benchmarks;

/// <summary>The two programs that are compared.</summary>
internal sealed class Sides : IDisposable
{
    private readonly Process _keeper;

    /// <param name="dumps">Has the program that keeps Wine warm.</param>
    /// <param name="progress">Says what takes long.</param>
    public Sides(Dumps dumps, TextWriter progress)
    {
        PublishedTool.Make(progress);

        // While one Windows program runs, Wine's server and services do: the engine is not charged for starting them.
        IReadOnlyList<string> command = Lab.CommandOf(["run", dumps.Program(), "--", "0", "2"]);
        _keeper = Process.Start(new ProcessStartInfo(command[0], command.Skip(1)) { RedirectStandardOutput = true })!;
        if (_keeper.StandardOutput.ReadLine() != "READY")
        {
            throw new InvalidOperationException("Wine does not run the program that keeps it warm.");
        }
    }

    public static WholeProcess Ours(string dump) => PublishedTool.Analyze(dump, []);

    /// <summary>The engine's stacks of every thread of the same file.</summary>
    public static WholeProcess Peer(string dump) => new(Lab.CommandOf(["engine", dump, "~*k"]), LastGoodCode: 0);

    public void Dispose()
    {
        _keeper.Kill(entireProcessTree: true);
        _keeper.WaitForExit();
        _keeper.Dispose();
    }
}
