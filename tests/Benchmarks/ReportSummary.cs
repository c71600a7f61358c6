using System.Globalization;
using System.IO.Compression;
using System.Text;
using System.Text.Json.Nodes;
using HangTriage.Facts;
using HangTriage.Reports.Json;
using HangTriage.Rules;
using HangTriage.Tests.Support;

namespace HangTriage.Benchmarks;

/// <summary>What grouping 100,000 reports takes, beside jq with sort and uniq, and beside grep with them; and that its memory does not grow with them.</summary>
internal static class ReportSummary
{
    private const int Few = 10_000;
    private const int Many = 100_000;
    private const string Counted = "| sort | uniq -c | sort -rn";

    private static readonly DateTimeOffset s_first = new(2026, 1, 1, 0, 0, 0, TimeSpan.Zero);

    public static void Measure(int pairs, TextWriter output, TextWriter progress)
    {
        string few = Make(Few, progress);
        string many = Make(Many, progress);
        PublishedTool.Make(progress);
        progress.WriteLine($"summary: {pairs} pairs");
        WholeProcess ours = PublishedTool.Summary(many);
        Comparison.Run(ours, Shell($"jq -r .verdict.signature \"$0\" {Counted}", many), pairs).Write("summary", many, "jq, sort and uniq", output);
        Comparison.Run(ours, Shell($"grep -o '\"signature\":\"[^\"]*\"' \"$0\" {Counted}", many), pairs).Write("summary", many, "grep, sort and uniq", output);
        output.WriteLine($"  memory     {Few} reports {PublishedTool.Summary(few).RunForMemory()}, {Many} reports {ours.RunForMemory()}");
    }

    // The reports of the stored samples in turn, each a minute after the one before.
    private static string Make(int count, TextWriter progress)
    {
        string path = Path.Combine(Directory.CreateDirectory(Path.Combine(Benchmarks.Folder, "reports")).FullName, $"{count}.ndjson");
        if (!File.Exists(path))
        {
            progress.WriteLine($"making {count} reports");
            JsonNode[] samples =
            [
                .. Directory.GetFiles(Path.Combine(Repository.Root, "tests", "Unit", "Reports", "samples"), "*.facts.json.gz")
                    .Order(StringComparer.Ordinal).Select(Report),
            ];
            using (StreamWriter writer = new(path + ".new", append: false, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { NewLine = "\n" })
            {
                for (int i = 0; i < count; i++)
                {
                    JsonNode report = samples[i % samples.Length];
                    report["target"]!["capturedAt"] = s_first.AddMinutes(i).ToString("O", CultureInfo.InvariantCulture);
                    writer.WriteLine(report.ToJsonString());
                }
            }

            File.Move(path + ".new", path);
        }

        return path;
    }

    /// <summary>Without the stacks of threads, which are most of its length.</summary>
    private static JsonNode Report(string facts)
    {
        using GZipStream unpacked = new(File.OpenRead(facts), CompressionMode.Decompress);
        using StringWriter written = new();
        JsonReport.Write(Triage.Judge(FactsFile.Read(unpacked)), written, new JsonReportOptions("0.0.0", new Dictionary<string, TimeSpan>()));
        JsonNode report = JsonNode.Parse(written.ToString())!;
        foreach (JsonNode? thread in report["threads"]?.AsArray() ?? [])
        {
            thread!.AsObject().Remove("frames");
        }

        return report;
    }

    private static WholeProcess Shell(string command, string file) => new(["/bin/sh", "-c", command, file], LastGoodCode: 0);
}
