using System.Text.Json;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.Support.Verdicts;

/// <summary>
/// What of a report is compared between two builds of the tool: no words for people, so that a label can change; parties by
/// their kind and by the id or address that the target gives them.
/// </summary>
/// <param name="Kind">Of the verdict; in capitals what became of the run where it gave no report.</param>
/// <param name="Confidence">Empty where the report states none.</param>
/// <param name="Rule">Empty where no rule decided.</param>
/// <param name="Culprit">Empty where nobody is to blame.</param>
/// <param name="Chain">The links, each "from>to".</param>
public sealed record VerdictSummary(string Kind, string Confidence, string Rule, string Culprit, string Chain)
{
    public const string NoReport = "NO REPORT";

    public bool IsHealth => Kind is "NotHung" or "BusyNotHung";

    public bool IsHang => !IsHealth && Kind is not ("Inconclusive" or NoReport);

    public bool IsSure => Confidence is "Certain" or "Likely";

    public static VerdictSummary Nothing { get; } = new(NoReport, "", "", "", "");

    public static VerdictSummary Of(ToolRun run) => Of(run.Out);

    public static VerdictSummary Of(string report) => Parse(report) ?? Nothing;

    /// <summary>Null where this is no report.</summary>
    public static VerdictSummary? Parse(string report)
    {
        try
        {
            using JsonDocument document = JsonDocument.Parse(report);
            JsonElement verdict = document.RootElement.GetProperty("verdict");
            string kind = Text(verdict, "kind");
            return new VerdictSummary(
                kind,
                // An Inconclusive verdict once had a confidence, which said nothing.
                kind == "Inconclusive" ? "" : Text(verdict, "confidence"),
                Text(verdict, "rule"),
                verdict.TryGetProperty("culprit", out JsonElement culprit) ? Party(culprit) : "",
                string.Join(" ", verdict.GetProperty("chain").EnumerateArray().Select(link => $"{Party(link.GetProperty("from"))}>{Party(link.GetProperty("to"))}")));
        }
        catch (Exception e) when (e is JsonException or KeyNotFoundException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>What differs, by name, before and after.</summary>
    public IReadOnlyList<string> Differences(VerdictSummary after)
    {
        (string Name, string Before, string After)[] parts =
        [
            ("kind", Kind, after.Kind),
            ("confidence", Confidence, after.Confidence),
            ("rule", Rule, after.Rule),
            ("culprit", Culprit, after.Culprit),
            ("chain", Chain, after.Chain),
        ];
        return [.. parts.Where(part => part.Before != part.After).Select(part => $"{part.Name}: {OrNone(part.Before)} -> {OrNone(part.After)}")];
    }

    public override string ToString() => $"{Kind} {OrNone(Confidence)} {OrNone(Rule)} {OrNone(Culprit)}";

    private static string Party(JsonElement party)
        => party.TryGetProperty("lock", out JsonElement heldLock) ? $"{Text(heldLock, "kind")} {Text(heldLock, "address")}"
            : Text(party, "thread") is { Length: > 0 } thread ? $"thread {thread}"
            : Text(party, "task") is { Length: > 0 } task ? $"task {task}"
            : Text(party, "kind");

    private static string Text(JsonElement element, string name)
        => element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String ? value.GetString()! : "";

    private static string OrNone(string text) => text.Length > 0 ? text : "-";
}
