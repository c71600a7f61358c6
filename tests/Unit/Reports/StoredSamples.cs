using System.Collections.Concurrent;
using System.IO.Compression;
using System.Text.Json.Nodes;
using HangTriage.Facts;
using HangTriage.Reports.Html;
using HangTriage.Reports.Json;
using HangTriage.Reports.Markdown;
using HangTriage.Reports.Text;
using HangTriage.Rules;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Unit.Reports;

/// <summary>
/// The samples, each run and dumped once: their facts lie in the folder samples beside this file, which store-facts.sh makes anew.
/// </summary>
internal static class StoredSamples
{
    private const string Ending = ".facts.json.gz";

    private static readonly ConcurrentDictionary<string, Lazy<TriageResult>> s_results = new(StringComparer.Ordinal);

    public static IReadOnlyList<string> Names { get; } =
    [
        .. Directory.GetFiles(Folder, "*" + Ending).Select(file => Path.GetFileName(file)[..^Ending.Length]).Order(StringComparer.Ordinal),
    ];

    private static string Folder => Path.Combine(Repository.Root, "tests", "Unit", "Reports", "samples");

    public static TriageResult Result(string name) => s_results.GetOrAdd(name, static name => new Lazy<TriageResult>(() => Judge(name))).Value;

    public static string Text(string name, TextReportOptions? options = null) => Written(writer => TextReport.Write(Result(name), writer, options));

    public static string Markdown(string name) => Written(writer => MarkdownReport.Write(Result(name), writer));

    public static string Html(string name) => Written(writer => HtmlReport.Write(Result(name), writer));

    public static string Json(string name) => Written(writer => JsonReport.Write(Result(name), writer, new JsonReportOptions("0.0.0", new Dictionary<string, TimeSpan>())));

    /// <summary>The report without the stacks of threads, which are the facts' own and most of its length.</summary>
    public static string JsonWithoutStacks(string name)
    {
        JsonNode report = JsonNode.Parse(Json(name))!;
        foreach (JsonNode? thread in report["threads"]?.AsArray() ?? [])
        {
            thread!.AsObject().Remove("frames");
        }

        return report.ToJsonString(new() { WriteIndented = true, NewLine = "\n" }) + "\n";
    }

    private static TriageResult Judge(string name)
    {
        using FileStream file = File.OpenRead(Path.Combine(Folder, name + Ending));
        using GZipStream unpacked = new(file, CompressionMode.Decompress);
        return Triage.Judge(FactsFile.Read(unpacked));
    }

    private static string Written(Action<TextWriter> write)
    {
        using StringWriter writer = new();
        write(writer);
        return writer.ToString();
    }
}
