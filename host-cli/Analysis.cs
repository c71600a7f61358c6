using System.Diagnostics;
using HangTriage.Capture;
using HangTriage.Facts;
using HangTriage.Reports;
using HangTriage.Rules;

namespace HangTriage.Cli;

/// <summary>A target's facts and verdict, and how long each took.</summary>
internal sealed record Analysis(TriageResult Result, IReadOnlyDictionary<string, TimeSpan> Timings)
{
    /// <exception cref="InputException">The target cannot be read.</exception>
    public static Analysis Of(Host host, string target, string? earlier, CaptureChoices choices, bool isQuiet)
    {
        Analysis analysis = Of(host, target, earlier, choices, isQuiet, host.Judge);
        if (analysis.Result.WhyEarlierIsNotUsed is { } why)
        {
            host.Error.WriteLine(Printable.Line($"triage: {earlier}: {why}; {target} is judged alone"));
        }

        return analysis;
    }

    private static Analysis Of(
        Host host, string target, string? earlier, CaptureChoices choices, bool isQuiet, Func<ProcessSnapshot, ProcessSnapshot?, TriageResult> judge)
        => Progress.While(host, isQuiet, progress =>
        {
            long start = Stopwatch.GetTimestamp();
            ProcessSnapshot? before = earlier is null ? null : Capture(host, earlier, choices with { IsDeep = false }, progress);
            ProcessSnapshot snapshot = Capture(host, target, choices, progress);
            TimeSpan captured = Stopwatch.GetElapsedTime(start);
            host.Cancellation.ThrowIfCancellationRequested();
            progress.Report("judging");
            TriageResult result = judge(snapshot, before);
            TimeSpan judged = Stopwatch.GetElapsedTime(start) - captured;
            return new Analysis(result, new Dictionary<string, TimeSpan> { ["capture"] = captured, ["judge"] = judged });
        });

    /// <exception cref="InputException">The target cannot be read.</exception>
    public static ProcessSnapshot Facts(Host host, string target, CaptureChoices choices, bool isQuiet)
        => Progress.While(host, isQuiet, progress => Capture(host, target, choices, progress));

    private static ProcessSnapshot Capture(Host host, string target, CaptureChoices choices, IProgress<string> progress)
    {
        try
        {
            return host.Capture(target, choices.Context(host, progress));
        }
        catch (Exception e) when (e is TargetOpenException or IOException or UnauthorizedAccessException)
        {
            throw new InputException(target, e);
        }
    }
}
