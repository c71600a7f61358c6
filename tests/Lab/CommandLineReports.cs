using System.Collections.Concurrent;
using System.Text.Json.Nodes;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>What the command line says of a sample's dump, as JSON: run once a sample, under Wine, where it reads both halves.</summary>
internal static class CommandLineReports
{
    private const string Full = "0x1806";

    private static readonly ConcurrentDictionary<string, Lazy<string>> s_reports = new();

    public static string Dump(string sample) => WindowsLab.Dump(sample, Full);

    public static JsonObject Of(string sample) => Parse(s_reports.GetOrAdd(sample, _ => new Lazy<string>(() => Run(Dump(sample)))).Value);

    public static JsonObject OfDump(string dump) => Parse(Run(dump));

    private static JsonObject Parse(string report) => JsonNode.Parse(report)!.AsObject();

    private static string Run(string dump) => WindowsLab.Triage("analyze", WindowsLab.WindowsPath(dump), "--format", "json").Out;
}
