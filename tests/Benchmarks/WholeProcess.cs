using System.Diagnostics;

namespace HangTriage.Benchmarks;

/// <summary>A program that is measured from its start to its end, its output going to a file.</summary>
/// <param name="Command">The program and its arguments.</param>
/// <param name="LastGoodCode">Exit codes from 0 to this are answers; any other means that it did not do its work.</param>
internal sealed record WholeProcess(IReadOnlyList<string> Command, int LastGoodCode)
{
    public ProcessCost Run()
    {
        TimeSpan before = ChildrenTime.Now();
        long start = Stopwatch.GetTimestamp();
        using Process process = Start(Command);
        process.WaitForExit();
        TimeSpan wall = Stopwatch.GetElapsedTime(start);
        Check(process);
        return new ProcessCost(wall, ChildrenTime.Now() - before);
    }

    /// <summary>Runs it once more while looking at its memory, which would disturb a measurement of time.</summary>
    public PeakMemory RunForMemory()
    {
        using Process process = Start(Command);
        PeakMemory peak = PeakMemory.None;
        while (!process.WaitForExit(TimeSpan.FromMilliseconds(1)))
        {
            peak = peak.Or(PeakMemory.OfTree(process.Id));
        }

        Check(process);
        return peak;
    }

    // The shell opens a file and becomes the program: a pipe would need a reader, and the reader's time. Not /dev/null:
    // a Windows program takes that for a console, and writes each character by itself.
    private static Process Start(IReadOnlyList<string> command) => Process.Start(new ProcessStartInfo(
        "/bin/sh", ["-c", "output=$1; shift; exec \"$@\" >\"$output\"", "sh", Path.Combine(Benchmarks.Folder, "output"), .. command]))!;

    private void Check(Process process)
    {
        if (process.ExitCode < 0 || process.ExitCode > LastGoodCode)
        {
            throw new InvalidOperationException($"{string.Join(' ', Command)} ended with {process.ExitCode}.");
        }
    }
}
