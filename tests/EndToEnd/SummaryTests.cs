using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using HangTriage.Cli;
using HangTriage.Reports.Summary;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Many reports, grouped by the signature of their hang.</summary>
public sealed class SummaryTests
{
    private static readonly DateTimeOffset s_first = new(2026, 3, 1, 12, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Reports_of_one_signature_are_a_group_with_count_times_and_versions()
    {
        using TemporaryFolder folder = new();
        string lines = string.Concat(Line("HT1001/A.B", 2, "10.0.12"), Line("HT1001/A.B", 0, "9.0.3"), Line("HT2010/C.D", 1, "10.0.12"), Line("HT1001/A.B", 5, "10.0.12"));
        JsonElement summary = Summary(folder.Write("a.ndjson", lines));

        Assert.Equal(4, summary.GetProperty("reports").GetInt64());
        JsonElement[] groups = [.. summary.GetProperty("groups").EnumerateArray()];
        Assert.Equal(["HT1001/A.B", "HT2010/C.D"], groups.Select(group => group.GetProperty("signature").GetString()));
        Assert.Equal([3, 1], groups.Select(group => group.GetProperty("count").GetInt32()));
        Assert.Equal(s_first, groups[0].GetProperty("firstSeen").GetDateTimeOffset());
        Assert.Equal(s_first.AddHours(5), groups[0].GetProperty("lastSeen").GetDateTimeOffset());
        Assert.Equal(["CoreCLR 10.0.12", "CoreCLR 9.0.3"], groups[0].GetProperty("runtimes").EnumerateArray().Select(runtime => runtime.GetString()));
        Assert.Matches("^[0-9a-f]{8}$", groups[0].GetProperty("signatureHash").GetString());
    }

    [Fact]
    public void The_reports_of_the_tool_itself_are_read_one_after_the_other_in_a_file_and_from_standard_input()
    {
        using TemporaryFolder folder = new();
        InProcess tool = InProcess.WithVerdict(VerdictKind.Deadlock);
        string report = tool.Run("analyze", "x", "--format", "json").Out;
        folder.Write("one.json", report);
        folder.Write("two.json", report + report);
        folder.Write("line.ndjson", JsonNode.Parse(report)!.ToJsonString());

        ToolRun run = (tool with { Input = report }).Run("summary", folder.Folder, "-", "--format", "json");

        Assert.Equal(0, run.ExitCode);
        JsonElement summary = JsonDocument.Parse(run.Out).RootElement;
        Assert.Equal((5, 0), (summary.GetProperty("reports").GetInt32(), summary.GetProperty("bad").GetInt32()));
        Assert.Equal("HT1001/test", Assert.Single(summary.GetProperty("groups").EnumerateArray()).GetProperty("signature").GetString());
    }

    [Fact]
    public void What_is_no_report_is_counted_and_named_and_costs_no_other_line()
    {
        using TemporaryFolder folder = new();
        string good = Line("HT1001/A.B", 0, "10.0.12");
        string file = folder.Write("a.ndjson", $"{good}\n\nnot JSON\n{{\"schema\":1}}\n{{\"schema\":9,\"verdict\":{{\"kind\":\"x\",\"signature\":\"y\"}}}}\n{good[..40]}\n[1]\n{good}");

        ToolRun run = new InProcess().Run("summary", file);

        Assert.Equal(0, run.ExitCode);
        Assert.StartsWith("2 reports, 1 group; 5 lines or files are no reports\n", run.Out, StringComparison.Ordinal);
        Assert.Contains($"triage: {file}:4: it is no complete JSON\n", run.Error, StringComparison.Ordinal);
        Assert.Contains($"triage: {file}:5: it has no verdict\n", run.Error, StringComparison.Ordinal);
        Assert.Contains($"triage: {file}:6: it is no report of this tool\n", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_report_that_is_longer_than_one_can_be_is_passed_by()
    {
        SummaryTable table = new();
        byte[] input = Encoding.UTF8.GetBytes($"{new string('x', 1_000_000)}\n{Line("HT1001/A.B", 0, "10.0.12")}");
        new ReportLines(new MemoryStream(input), "in", table, longest: 300_000).Read(CancellationToken.None);

        Assert.Equal((1, 1), (table.Reports, table.Bad));
        Assert.Equal(["in:1: it is longer than a report can be"], table.BadPlaces);
    }

    [Fact]
    public void Of_too_many_different_hangs_the_rest_is_counted()
    {
        SummaryTable table = new();
        for (int number = 0; number < SummaryTable.MostGroups + 5; number++)
        {
            table.Add(new ReportDigest { Signature = $"HT1001/{number}", Kind = "Deadlock", Title = "x" });
        }

        Assert.Equal((SummaryTable.MostGroups, 5), (table.Groups().Count, table.Ungrouped));
    }

    [Fact]
    public void Neither_a_missing_file_nor_one_without_a_report_is_an_empty_summary()
    {
        using TemporaryFolder folder = new();
        Assert.Equal(65, new InProcess().Run("summary", folder["missing.json"]).ExitCode);
        Assert.Equal(65, new InProcess().Run("summary", folder.Write("empty.json", string.Empty)).ExitCode);
    }

    [Fact]
    public void A_hostile_report_changes_no_line_and_no_cell()
    {
        using TemporaryFolder folder = new();
        string file = folder.Write("a.ndjson", Line("HT1001/A|B`<script>\n# x\u202e\u001b[2J", 0, "1|2", title: "t|`<b>\n\n# x\u202e\u001b[31m"));

        string text = new InProcess().Run("summary", file).Out;
        string markdown = new InProcess().Run("summary", file, "--format", "markdown").Out;

        Assert.All(text, letter => Assert.True(letter is '\n' or (>= ' ' and <= '~')));
        Assert.DoesNotContain("<", markdown, StringComparison.Ordinal);
        Assert.Equal(3, markdown.Split('\n').Count(line => line.StartsWith("| ", StringComparison.Ordinal) || line.StartsWith("|---", StringComparison.Ordinal) || line.StartsWith("| ---", StringComparison.Ordinal)));
        Assert.DoesNotContain('\u202e', markdown);
    }

    private static JsonElement Summary(string file)
    {
        ToolRun run = new InProcess().Run("summary", file, "--format", "json");
        Assert.Equal(0, run.ExitCode);
        return JsonDocument.Parse(run.Out).RootElement;
    }

    private static string Line(string signature, int hours, string version, string title = "the title") => new JsonObject
    {
        ["schema"] = 1,
        ["tool"] = new JsonObject { ["version"] = "1.2.3" },
        ["target"] = new JsonObject
        {
            ["process"] = "app",
            ["capturedAt"] = s_first.AddHours(hours).ToString("O", CultureInfo.InvariantCulture),
            ["runtimes"] = new JsonArray(new JsonObject { ["flavor"] = "CoreCLR", ["version"] = version }),
        },
        ["verdict"] = new JsonObject { ["kind"] = "Deadlock", ["confidence"] = "Likely", ["title"] = title, ["rule"] = signature.Split('/')[0], ["signature"] = signature, ["signatureFrames"] = new JsonArray("A.B") },
        ["threads"] = new JsonArray(new JsonObject { ["verdict"] = "no" }),
    }.ToJsonString() + "\n";
}
