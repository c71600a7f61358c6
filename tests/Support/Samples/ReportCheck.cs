using System.Text.Json;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.Support.Samples;

/// <summary>Compares what the tool says of a dump with what the sample expects. Reads the report as a script would: as JSON.</summary>
public static class ReportCheck
{
    /// <summary>The differences, each a line; empty where there are none.</summary>
    /// <param name="expected">What is expected.</param>
    /// <param name="run">What the tool said.</param>
    /// <param name="isAnyStart">A circle may begin with any of its threads: it does with the oldest, which can be another.</param>
    public static IReadOnlyList<string> Differences(ExpectedVerdict expected, ToolRun run, bool isAnyStart = false)
    {
        if (run.Out.Length == 0)
        {
            return [$"no report: exit code {run.ExitCode}, {run.Error}"];
        }

        using JsonDocument report = JsonDocument.Parse(run.Out);
        JsonElement verdict = report.RootElement.GetProperty("verdict");
        Dictionary<string, string> names = NamesById(report.RootElement);
        List<string> differences = [];

        Compare("exit code", $"{expected.ExitCode}", $"{run.ExitCode}");
        Compare("kind", expected.Kind, Text(verdict, "kind"));
        Compare("rule", expected.Rule, Text(verdict, "rule"));
        if (expected.Confidence is not null)
        {
            Compare("confidence", expected.Confidence, Text(verdict, "confidence"));
        }

        if (expected.Culprit is { } culprit)
        {
            JsonElement? found = verdict.TryGetProperty("culprit", out JsonElement element) ? element : null;
            Compare("culprit", culprit.Name, found is { } party ? NameOf(party) : null);
            if (culprit.Frame is { } frame && found?.GetRawText().Contains(frame, StringComparison.Ordinal) != true)
            {
                differences.Add($"culprit: {frame} is not named in {found?.GetRawText()}");
            }
        }

        if (expected.Cycle.Count > 0)
        {
            string[] found = [.. ThreadsOf(verdict.GetProperty("chain").EnumerateArray().Select(link => link.GetProperty("from")))];
            int start = isAnyStart ? Math.Max(0, found.IndexOf(expected.Cycle[0])) : 0;
            Compare("cycle", Join(expected.Cycle), Join(found[start..].Concat(found[..start])));
        }

        Compare("victims", Join(expected.Victims.Order(StringComparer.Ordinal)), Join(ThreadsOf(verdict.GetProperty("victims").EnumerateArray()).Order(StringComparer.Ordinal)));
        return differences;

        void Compare(string what, string? wanted, string? actual)
        {
            if (wanted != actual)
            {
                differences.Add($"{what}: expected {wanted ?? "none"}, found {actual ?? "none"} ({Text(verdict, "title")})");
            }
        }

        IEnumerable<string> ThreadsOf(IEnumerable<JsonElement> parties)
            => parties.Where(party => Text(party, "kind") == "thread").Select(party => NameOf(party)!);

        string? NameOf(JsonElement party) => Text(party, "thread") is { } id ? names.GetValueOrDefault(id, id) : null;
    }

    /// <summary>The same for a report that may say only that it does not know, and why: one of its gaps has this text.</summary>
    public static IReadOnlyList<string> Differences(string gap, ToolRun run)
    {
        // Who waits for a lock of the system can be known where nothing is of the heap.
        string[] differences = [.. Differences(new ExpectedVerdict { Kind = "Inconclusive", ExitCode = 2 }, run).Where(difference => !difference.StartsWith("victims:", StringComparison.Ordinal))];
        if (differences.Length > 0 || run.Out.Contains(gap, StringComparison.Ordinal))
        {
            return differences;
        }

        using JsonDocument report = JsonDocument.Parse(run.Out);
        IEnumerable<string> gaps = report.RootElement.GetProperty("verdict").GetProperty("gaps").EnumerateArray().Select(found => $"{Text(found, "what")}: {Text(found, "why")}");
        return [$"no gap says: {gap}; but: {string.Join("; ", gaps)}"];
    }

    /// <summary>The signature of the hang; null where there is no report, or no rule decided.</summary>
    public static string? SignatureOf(ToolRun run)
    {
        if (run.Out.Length == 0)
        {
            return null;
        }

        using JsonDocument report = JsonDocument.Parse(run.Out);
        JsonElement verdict = report.RootElement.GetProperty("verdict");
        return Text(verdict, "rule") is null ? null : Text(verdict, "signature");
    }

    private static Dictionary<string, string> NamesById(JsonElement report)
        => report.GetProperty("threads").EnumerateArray()
            .Where(thread => !string.IsNullOrEmpty(Text(thread, "name")))
            .ToDictionary(thread => Text(thread, "osId")!, thread => Text(thread, "name")!);

    private static string? Text(JsonElement element, string name)
        => element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;

    private static string Join(IEnumerable<string> names) => string.Join(", ", names);
}
