using System.Text.Json;
using System.Text.Json.Nodes;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The command "trace" of the real tool.</summary>
public sealed class TraceTests
{
    [Theory]
    [InlineData("slow.etl")]
    [InlineData("slow.dmp")]
    public void The_most_delayed_thread_is_in_the_first_row(string name)
    {
        using TemporaryFolder folder = Folder(OutrankedTrace.Build(), name);
        ToolRun run = Tool.Run(["trace", name], folder.Folder);

        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        string[] lines = run.Out.Split('\n');
        string row = lines[Array.IndexOf(lines, "Ready and not running for longest") + 2];
        Assert.Matches("""^  0x1f4 "ui" +50 +19\.49 s +30\.333 s +14 +2 +0x8 of System +7 threads of priority 8 to 12$""", row);
        Assert.All(run.Out, letter => Assert.True(letter is '\n' or (>= ' ' and < '\x7f')));
    }

    [Fact]
    public void A_file_alone_is_read_as_a_trace()
    {
        using TemporaryFolder folder = Folder(OutrankedTrace.Build());

        Assert.StartsWith("slow.etl: what ran", Tool.Run(["slow.etl"], folder.Folder).Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--pid", "50")]
    [InlineData("--process", "lockapp")]
    [InlineData("--process", "LockApp.exe")]
    public void One_process_is_named_by_id_or_name(string option, string value)
    {
        using TemporaryFolder folder = Folder(OutrankedTrace.Build());
        ToolRun run = Tool.Run(["trace", "slow.etl", option, value, "--format", "json"], folder.Folder);

        using JsonDocument json = JsonDocument.Parse(run.Out);
        JsonElement trace = json.RootElement.GetProperty("trace");
        JsonElement thread = Assert.Single(trace.GetProperty("threads").EnumerateArray());
        Assert.Equal("0x1f4", thread.GetProperty("osId").GetString());
        Assert.Equal(19_494, thread.GetProperty("longestReady").GetProperty("length").GetDouble());
        Assert.Equal(2, thread.GetProperty("longestReady").GetProperty("rank").GetInt32());
        Assert.Equal(
            trace.GetProperty("window").GetProperty("length").GetDouble(),
            new[] { "running", "ready", "waiting" }.Sum(name => thread.GetProperty(name).GetDouble()), 0.000_1);
        Assert.True(trace.GetProperty("events").GetProperty("Thread/CSwitch").GetInt64() > 900);
    }

    [Fact]
    public void A_process_that_is_not_there_is_wrong_usage()
    {
        using TemporaryFolder folder = Folder(OutrankedTrace.Build());
        ToolRun run = Tool.Run(["trace", "slow.etl", "--process", "nobody"], folder.Folder);

        Assert.Equal((64, ""), (run.ExitCode, run.Out));
        Assert.Equal("triage: slow.etl has no process nobody; 'triage trace slow.etl' lists those that it has.\n", run.Error);
    }

    [Fact]
    public void Markdown_goes_into_a_file_whole()
    {
        using TemporaryFolder folder = Folder(AntivirusTrace.Build());
        ToolRun run = Tool.Run(["trace", "slow.etl", "--process", "git", "--format", "markdown", "-o", "out.md"], folder.Folder);

        Assert.Equal((1, ""), (run.ExitCode, run.Out));
        string text = File.ReadAllText(folder["out.md"]);
        Assert.Contains(@"| 70 | MsMpEng.exe (90) | 2 | 4\.21 s | 3\.6 s |", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(40)]
    [InlineData(200)]
    public void A_file_that_is_no_whole_header_is_65_with_one_line(int length)
    {
        using TemporaryFolder folder = new();
        File.WriteAllBytes(folder["slow.etl"], OutrankedTrace.Build().Build()[..length]);
        ToolRun run = Tool.Run(["trace", "slow.etl", "-o", "out"], folder.Folder);

        Assert.Equal((65, ""), (run.ExitCode, run.Out));
        Assert.Matches(@"\Atriage: slow\.etl: [^\n]+\n\z", run.Error);
        Assert.DoesNotContain("out", folder.Names);
    }

    /// <summary>Names in a trace are a stranger's: nothing of them reaches a terminal or a Markdown reader as a command.</summary>
    [Fact]
    public void Names_from_the_trace_are_escaped()
    {
        SyntheticTrace trace = new SyntheticTrace().Process(0, 3, 9, "\e[31mx|y<b>").Thread(0, 3, 9, 5, "\e]0;\n|z").Switch(100, 0, 5, 0).Switch(2_000, 0, 0, 5, state: 1).Switch(4_000, 0, 5, 0);
        using TemporaryFolder folder = Folder(trace);

        foreach (string format in new[] { "text", "markdown", "json" })
        {
            string text = Tool.Run(["trace", "slow.etl", "--format", format], folder.Folder).Out;
            Assert.DoesNotContain('\e', text);
            Assert.DoesNotContain("<b>", format == "markdown" ? text : "", StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_trace_of_the_dumps_process_is_part_of_its_report()
    {
        using TemporaryFolder folder = Folder(TraceOf(360, "LoaderLockSpin.exe"));
        ToolRun run = Tool.Run(["analyze", Dump, "--trace", "slow.etl", "--format", "json"], folder.Folder);

        Assert.Equal((1, ""), (run.ExitCode, run.Error));
        using JsonDocument json = JsonDocument.Parse(run.Out);
        JsonElement trace = json.RootElement.GetProperty("trace");
        Assert.Equal("slow.etl", trace.GetProperty("file").GetString());
        Assert.Equal(("startTime", 6_000), (trace.GetProperty("joinedBy").GetString(), trace.GetProperty("moment").GetDouble()));
        Assert.Equal("0x17c", Assert.Single(trace.GetProperty("threads").EnumerateArray()).GetProperty("osId").GetString());
        Assert.Contains("Trace   slow.etl, ", Tool.Run(["analyze", Dump, "--trace", "slow.etl"], folder.Folder).Out, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(361, "LoaderLockSpin.exe", "it has no process 360")]
    [InlineData(360, "other.exe", "its process 360 is another one: other.exe, not LoaderLockSpin.exe")]
    public void A_trace_of_another_process_is_left_out_and_the_reason_told(uint pid, string name, string why)
    {
        using TemporaryFolder folder = Folder(TraceOf(pid, name));
        ToolRun run = Tool.Run(["analyze", Dump, "--trace", "slow.etl", "--format", "json"], folder.Folder);

        Assert.Equal((1, $"triage: slow.etl: {why}; the trace is left out\n"), (run.ExitCode, run.Error));
        using JsonDocument json = JsonDocument.Parse(run.Out);
        Assert.Equal(JsonValueKind.Null, json.RootElement.GetProperty("trace").ValueKind);
    }

    [Fact]
    public void A_trace_that_cannot_be_read_is_65()
    {
        using TemporaryFolder folder = Folder(TraceOf(360, "x"));
        File.WriteAllText(folder["slow.etl"], "no trace");
        ToolRun run = Tool.Run(["analyze", Dump, "--trace", "slow.etl"], folder.Folder);

        Assert.Equal((65, ""), (run.ExitCode, run.Out));
        Assert.Matches(@"\Atriage: slow\.etl: [^\n]+\n\z", run.Error);
    }

    [Fact]
    public void Stored_facts_carry_the_trace_and_are_judged_the_same()
    {
        using TemporaryFolder folder = Folder(TraceOf(360, "LoaderLockSpin.exe"));
        Assert.Equal((0, ""), Ended(Tool.Run(["capture", Dump, "--trace", "slow.etl", "-o", "app.facts.json", "--quiet"], folder.Folder)));

        JsonNode direct = Report(Tool.Run(["analyze", Dump, "--trace", "slow.etl", "--format", "json"], folder.Folder));
        JsonNode stored = Report(Tool.Run(["analyze", "app.facts.json", "--format", "json"], folder.Folder));

        Assert.Equal("slow.etl", (string?)stored["trace"]!["file"]);
        Assert.Equal(direct["trace"]!.ToJsonString(), stored["trace"]!.ToJsonString());
        Assert.Equal(direct["verdict"]!.ToJsonString(), stored["verdict"]!.ToJsonString());
    }

    private static (int ExitCode, string Error) Ended(ToolRun run) => (run.ExitCode, run.Error);

    private static JsonNode Report(ToolRun run) => JsonNode.Parse(run.Out)!;

    private static string Dump => Repository.Sample("LoaderLockSpin", "hang.dmp.gz");

    /// <summary>The dump's process started at 10:10:12 and was captured at 10:10:16.</summary>
    private static SyntheticTrace TraceOf(uint pid, string name)
        => new SyntheticTrace { Start = new DateTimeOffset(2026, 11, 21, 10, 10, 10, TimeSpan.Zero) }
            .Process(0, 3, 4, "System").Process(20_000_000, 1, pid, name).Thread(20_000_100, 1, pid, 0x17C).Ready(20_000_200, 0, 0x17C)
            .Switch(20_000_300, 0, 0x17C, 0).Switch(20_002_000, 0, 0, 0x17C).Thread(90_000_000, 4, pid, 0x17C);

    private static TemporaryFolder Folder(SyntheticTrace trace, string name = "slow.etl")
    {
        TemporaryFolder folder = new();
        File.WriteAllBytes(folder[name], trace.Build());
        return folder;
    }
}
