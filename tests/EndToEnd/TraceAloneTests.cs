using System.Text.Json.Nodes;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Synthetic.Traces;
using HangTriage.Tests.Support.Synthetic.Traces.Scenarios;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The command "trace" judges the process that is named, with the exit codes and the JSON of "analyze".</summary>
public sealed class TraceAloneTests
{
    public static TheoryData<string, int, string, string?> Cases { get; } = new()
    {
        { "runs", 1, "BusyOwner", "HT7006" },
        { "ready", 1, "Outranked", "HT7001" },
        { "turns", 0, "NotHung", null },
        { "waits", 2, "Inconclusive", null },
    };

    [Theory]
    [MemberData(nameof(Cases))]
    public void A_process_is_judged_by_its_trace(string name, int exitCode, string kind, string? rule)
    {
        (SyntheticTrace trace, uint pid) = Of(name);
        using TemporaryFolder folder = Folder(trace);
        ToolRun run = Tool.Run(["trace", "slow.etl", "--pid", $"{pid}", "--format", "json"], folder.Folder);

        Assert.Equal((exitCode, ""), (run.ExitCode, run.Error));
        JsonNode report = JsonNode.Parse(run.Out)!;
        Assert.Equal((kind, rule), ((string?)report["verdict"]!["kind"], (string?)report["verdict"]!["rule"]));
        Assert.Equal(("trace", "windows", pid, null),
            ((string?)report["target"]!["kind"], (string?)report["target"]!["os"], (uint)report["target"]!["pid"]!,
            (string?)report["target"]!["arch"]));
        Assert.Equal("slow.etl", (string?)report["trace"]!["file"]);
        Assert.NotEmpty(report["rules"]!.AsArray());
        Assert.All(report["threads"]!.AsArray(), thread => Assert.Null(thread!["index"]));
        Assert.NotNull(report["findings"]);
    }

    [Fact]
    public void The_verdict_stands_behind_the_tables()
    {
        using TemporaryFolder folder = Folder(PartnerTrace.Build(PartnerTrace.Then.Runs));
        ToolRun run = Tool.Run(["trace", "slow.etl", "--process", "orders"], folder.Folder);

        Assert.Equal((1, ""), (run.ExitCode, run.Error));
        int verdict = run.Out.IndexOf("BUSY OWNER", StringComparison.OrdinalIgnoreCase);
        Assert.InRange(run.Out.IndexOf("slow.etl: ", StringComparison.Ordinal), 0, verdict);
        Assert.InRange(run.Out.IndexOf("Timeline", StringComparison.Ordinal), 0, verdict);
        Assert.Contains("Trace   slow.etl, 20 s; judged alone, as at its end", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("-1", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public void Markdown_goes_into_a_file_with_the_verdict()
    {
        using TemporaryFolder folder = Folder(PartnerTrace.Build(PartnerTrace.Then.Runs));
        ToolRun run = Tool.Run(["trace", "slow.etl", "--pid", "110", "-o", "out.md"], folder.Folder);

        Assert.Equal((1, ""), (run.ExitCode, run.Out));
        Assert.StartsWith("triage: out.md: BusyOwner, Thread 0x44c", run.Error, StringComparison.Ordinal);
        Assert.Contains("# Busy owner: orders.exe", File.ReadAllText(folder["out.md"]), StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_process_nothing_is_judged()
    {
        using TemporaryFolder folder = Folder(PartnerTrace.Build(PartnerTrace.Then.Runs));
        ToolRun run = Tool.Run(["trace", "slow.etl", "--format", "json"], folder.Folder);

        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        Assert.Equal(["schema", "tool", "trace"], JsonNode.Parse(run.Out)!.AsObject().Select(part => part.Key));
    }

    private static (SyntheticTrace Trace, uint Pid) Of(string name) => name switch
    {
        "runs" => (PartnerTrace.Build(PartnerTrace.Then.Runs), PartnerTrace.Process),
        "ready" => (OutrankedTrace.Build(), OutrankedTrace.App),
        "turns" => (PartnerTrace.Build(PartnerTrace.Then.GoesOn), PartnerTrace.Process),
        _ => (TurnsTrace.Build(), TurnsTrace.Process),
    };

    private static TemporaryFolder Folder(SyntheticTrace trace)
    {
        TemporaryFolder folder = new();
        File.WriteAllBytes(folder["slow.etl"], trace.Build());
        return folder;
    }
}
