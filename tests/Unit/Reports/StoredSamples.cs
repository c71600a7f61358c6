using System.Collections.Concurrent;
using System.IO.Compression;
using HangTriage.Facts;
using HangTriage.Reports.Html;
using HangTriage.Reports.Incident;
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

    public static TriageResult Result(string name)
        => s_results.GetOrAdd(name, static name => new Lazy<TriageResult>(() => Triage.Judge(Facts(name)))).Value;

    public static string Text(string name, TextReportOptions? options = null)
        => PlainReports.Written(writer => TextReport.Write(Result(name), writer, options));

    public static string Markdown(string name, IncidentOptions? options = null)
        => PlainReports.Written(writer => MarkdownReport.Write(Result(name), writer, options));

    public static string Html(string name, IncidentOptions? options = null)
        => PlainReports.Written(writer => HtmlReport.Write(Result(name), writer, options));

    public static string Json(string name) => PlainReports.Written(writer => JsonReport.Write(Result(name), writer, PlainReports.Json));

    public static Case Facts(string name)
    {
        using Stream facts = Unpacked(name);
        return FactsFile.Read(facts);
    }

    /// <summary>The facts as they are stored.</summary>
    public static Stream Unpacked(string name)
        => new GZipStream(File.OpenRead(Path.Combine(Folder, name + Ending)), CompressionMode.Decompress);
}
