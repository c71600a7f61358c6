using System.Diagnostics;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Support.States;

/// <summary>
/// What a program of its own (tests/Lab/tools/ManagedFrames) reads of dumps with ClrMD alone: the library that it loads for
/// each .NET can crash, and none of our readers is in that process.
/// </summary>
/// <param name="Dumps">In the order asked for; as many as could be read.</param>
/// <param name="Failure">Why they are not all; null where they are.</param>
public sealed record StateReading(IReadOnlyList<StateFacts> Dumps, string? Failure)
{
    private const int MostOfFailure = 200;

    // Built together with the running tests.
    private static readonly string s_program = Path.Combine(
        Repository.Artifacts, "bin", "ManagedFrames", Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory)), "ManagedFrames.dll");

    /// <param name="dumps">Full dumps, or cores with the heap.</param>
    /// <param name="isWindows">They are of Windows, and are read in the lab.</param>
    public static StateReading Of(IReadOnlyList<string> dumps, bool isWindows)
    {
        if (isWindows)
        {
            LabRun run = WindowsLab.Run(["managed-state", .. dumps]);
            return Of(dumps, run.ExitCode, run.Output, run.Error);
        }

        using Process process = Process.Start(new ProcessStartInfo("dotnet", [s_program, "--state", .. dumps])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        ToolRun ended = Tool.Finish(process);
        return Of(dumps, ended.ExitCode, ended.Out, ended.Error);
    }

    private static StateReading Of(IReadOnlyList<string> dumps, int exitCode, string output, string error)
    {
        IReadOnlyList<StateFacts> read = StateFacts.Parse(output.Split('\n'));
        string told = error.Trim().ReplaceLineEndings(" ");
        return new StateReading(read, read.Count == dumps.Count && exitCode == 0 ? null : $"exit code {exitCode} {told[..Math.Min(told.Length, MostOfFailure)]}");
    }
}
