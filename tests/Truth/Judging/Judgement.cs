using System.Text.Json;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Verdicts;

namespace HangTriage.Tests.Truth.Judging;

/// <summary>What the tool said of a program, compared with what the expert says.</summary>
/// <param name="Program">The program.</param>
/// <param name="Said">The kind of the verdict; "none" where there is no report.</param>
/// <param name="Title">The verdict's first line, or why there is none.</param>
/// <param name="Outcome">What that is worth.</param>
internal sealed record Judgement(ExpectedProgram Program, string Said, string Title, Outcome Outcome)
{
    private const string Circle = "Deadlock";

    public bool IsRight => Outcome == Outcome.Right;

    public static Judgement Of(ExpectedProgram program, ToolRun run)
    {
        VerdictSummary summary = VerdictSummary.Of(run);
        if (summary == VerdictSummary.Nothing)
        {
            return Failed(program, $"exit code {run.ExitCode}: {run.Error.Trim()}");
        }

        using JsonDocument report = JsonDocument.Parse(run.Out);
        JsonElement verdict = report.RootElement.GetProperty("verdict");
        string title = verdict.GetProperty("title").GetString()!;
        int code = summary.IsHang ? 1 : summary.IsHealth ? 0 : 2;
        return run.ExitCode == code
            ? new Judgement(program, summary.Kind, title, OutcomeOf(program, summary, $"{title} {CulpritOf(verdict)}"))
            : Failed(program, $"exit code {run.ExitCode} of a verdict {summary.Kind}: {title}");
    }

    public static Judgement Failed(ExpectedProgram program, string why) => new(program, "none", why, Outcome.Failed);

    public override string ToString() => $"{Program.Id}: {Outcome}, wanted {string.Join(" or ", Program.Kinds)}, found {Said} ({Title})";

    private static Outcome OutcomeOf(ExpectedProgram program, VerdictSummary said, string named)
    {
        if (program.Kinds.Contains(said.Kind))
        {
            return program.Culprit.All(word => word.Split('|').Any(name => named.Contains(name, StringComparison.Ordinal))) ? Outcome.Right : Outcome.WrongCulprit;
        }

        return program.IsHung
            ? said.IsHealth ? Outcome.Missed : said.IsHang ? Outcome.WrongKind : Outcome.Unsure
            : said.IsHang ? Outcome.FalseAlarm : said.IsHealth ? Outcome.WrongKind : Outcome.Unsure;
    }

    // As text, since it has a name here and a frame there; without the escapes that JSON has for "<". All who are in a circle
    // are to blame, and the report names but the first of them.
    private static string CulpritOf(JsonElement verdict)
    {
        IEnumerable<string> culprit = verdict.TryGetProperty("culprit", out JsonElement party) ? StringsOf(party) : [];
        return string.Join(" ", verdict.GetProperty("kind").GetString() == Circle ? [.. culprit, .. StringsOf(verdict.GetProperty("chain"))] : culprit);
    }

    private static IEnumerable<string> StringsOf(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().SelectMany(member => StringsOf(member.Value)),
        JsonValueKind.Array => element.EnumerateArray().SelectMany(StringsOf),
        JsonValueKind.String => [element.GetString()!],
        _ => [],
    };
}
