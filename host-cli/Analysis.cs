using System.Diagnostics;
using HangTriage.Facts;
using HangTriage.Rules;

namespace HangTriage.Cli;

/// <summary>A target's facts and verdict, and how long each took.</summary>
internal sealed record Analysis(TriageResult Result, IReadOnlyDictionary<string, TimeSpan> Timings)
{
    /// <param name="host">The world.</param>
    /// <param name="target">The file that is judged.</param>
    /// <param name="earlier">Earlier captures of the same process, in the order in which they were given.</param>
    /// <param name="choices">How to read them.</param>
    /// <param name="isSaidToHang">The user says that the process hangs.</param>
    /// <param name="isQuiet">Show no progress.</param>
    /// <exception cref="InputException">A file cannot be read.</exception>
    public static Analysis Of(Host host, string target, IReadOnlyList<string> earlier, CaptureChoices choices, bool isSaidToHang, bool isQuiet)
    {
        (CaseFiles files, Analysis analysis) = Progress.While(host, isQuiet, progress =>
        {
            long start = Stopwatch.GetTimestamp();
            CaseFiles read = CaseFiles.Read(host, target, earlier, choices, progress);
            TimeSpan captured = Stopwatch.GetElapsedTime(start);
            host.Cancellation.ThrowIfCancellationRequested();
            progress.Report("judging");
            TriageResult result = host.Judge(read.Case with { IsSaidToHang = isSaidToHang });
            TimeSpan judged = Stopwatch.GetElapsedTime(start) - captured;
            return (read, new Analysis(result, new Dictionary<string, TimeSpan> { ["capture"] = captured, ["judge"] = judged }));
        });
        files.WarnOfRefused(host.Error);
        return analysis;
    }

    /// <summary>The target's facts, with those of the earlier captures and of the trace that are of the same process.</summary>
    /// <exception cref="InputException">A file cannot be read.</exception>
    public static Case Facts(Host host, string target, IReadOnlyList<string> earlier, CaptureChoices choices, bool isQuiet)
    {
        CaseFiles files = Progress.While(host, isQuiet, progress => CaseFiles.Read(host, target, earlier, choices, progress));
        files.WarnOfRefused(host.Error);
        Case @case = Case.Of([.. files.Case.Earlier.Select(pair => pair.Sample), files.Case.Last]);
        return files.Case.Trace is { Join.IsJoined: true } trace ? @case.With(trace.File, trace.Facts) : @case;
    }
}
