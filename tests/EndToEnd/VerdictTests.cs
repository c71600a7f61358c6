using System.Text.Json;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The real tool on facts of known processes, from the command line to the exit code.</summary>
public sealed class VerdictTests
{
    public static TheoryData<string, int, string> Processes { get; } = new()
    {
        { "deadlock", 1, "Deadlock" },
        { "idle", 0, "NotHung" },
        { "nothing", 2, "Inconclusive" },
    };

    [Theory]
    [MemberData(nameof(Processes))]
    public void The_exit_code_is_that_of_the_verdict(string process, int expected, string kind)
    {
        using TemporaryFolder folder = new();
        string input = folder.Write("in.facts.json", Facts(process));
        ToolRun json = Tool.Run("analyze", input, "--format", "json");
        Assert.True(json.ExitCode == expected, json.ToString());
        JsonElement report = JsonDocument.Parse(json.Out).RootElement;
        Assert.Equal(kind, report.GetProperty("verdict").GetProperty("kind").GetString());
        Assert.Equal(["capture", "judge"], report.GetProperty("timings").EnumerateObject().Select(timing => timing.Name));
        Assert.Empty(json.Error);

        Assert.Equal(expected, Tool.Run("analyze", input).ExitCode);
        Assert.Equal(expected, Tool.Run("report", input, "-o", folder["incident.md"]).ExitCode);
        Assert.StartsWith("# ", File.ReadAllText(folder["incident.md"]), StringComparison.Ordinal);
    }

    [Fact]
    public void Facts_judge_like_the_target_that_they_were_captured_from()
    {
        using TemporaryFolder folder = new();
        string first = folder.Write("first", Facts("deadlock"));
        Tool.Run("capture", first, "-o", folder["second"]);
        Assert.Equal(Tool.Run("analyze", first).Out, Tool.Run("analyze", folder["second"]).Out);
    }

    [Fact]
    public void The_example_of_the_facts_page_is_a_facts_file()
    {
        using TemporaryFolder folder = new();
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "facts.md"));
        string example = page.Split("```json\n")[^1].Split("```")[0];
        folder.Write("example", example);
        ToolRun run = Tool.Run("analyze", folder["example"]);
        Assert.True(run.ExitCode is 0 or 2, run.ToString());
    }

    private static ProcessSnapshot Facts(string process) => process switch
    {
        "deadlock" => SmallFacts.Deadlock(),
        "idle" => SmallFacts.Idle(),
        _ => SmallFacts.Nothing(),
    };
}
