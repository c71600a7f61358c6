using System.Diagnostics;
using HangTriage.Capture;
using HangTriage.Capture.Targets;
using HangTriage.Facts;
using HangTriage.Reports.Json;
using HangTriage.Rules;

namespace HangTriage.Benchmarks;

/// <summary>What the parts of an analysis take in a process that has done it before: where to look when a ratio gets worse.</summary>
internal static class WarmParts
{
    private const int WarmUps = 20;
    private const int Runs = 30;

    public static void Measure(string dump, TextWriter output)
    {
        ProcessSnapshot snapshot = Capture(dump);
        TriageResult result = Triage.Judge(snapshot);
        output.WriteLine();
        output.WriteLine($"parts: {new FileInfo(dump).Length / 1024 / 1024} MB, in one process, warm; median of {Runs} (least to most)");
        output.WriteLine($"  capture  {Time(() => Capture(dump)).Seconds()}");
        output.WriteLine($"  judge    {Time(() => Triage.Judge(snapshot)).Seconds()}");
        output.WriteLine($"  report   {Time(() => JsonReport.Write(result, TextWriter.Null, new JsonReportOptions("benchmark", new Dictionary<string, TimeSpan>()))).Seconds()}");
    }

    private static ProcessSnapshot Capture(string dump) => TargetFile.Capture(dump, CaptureContext.Default);

    private static Spread Time(Action part)
    {
        List<double> seconds = [];
        for (int i = 0; i < WarmUps + Runs; i++)
        {
            long start = Stopwatch.GetTimestamp();
            part();
            if (i >= WarmUps)
            {
                seconds.Add(Stopwatch.GetElapsedTime(start).TotalSeconds);
            }
        }

        return Spread.Of(seconds);
    }
}
