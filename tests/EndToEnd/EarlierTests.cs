using System.Text.Json;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Facts;

namespace HangTriage.Tests.EndToEnd;

/// <summary>The real tool on two captures.</summary>
public sealed class EarlierTests
{
    private static readonly string[] s_spin = ["ntdll!NtYieldExecution", "KERNELBASE!SwitchToThread", "spin!poll"];

    [Fact]
    public void Two_captures_of_one_process_are_compared()
    {
        using TemporaryFolder folder = new();
        folder.Write("first.facts.json", Spinner(SnapshotBuilder.Windows().Earlier(TimeSpan.FromSeconds(10)), 11));
        folder.Write("second.facts.json", Spinner(SnapshotBuilder.Windows(), 20));

        ToolRun run = Tool.Run(["analyze", "second.facts.json", "--earlier", "first.facts.json", "--format", "json"], folder.Folder);

        Assert.Equal((0, string.Empty), (run.ExitCode, run.Error));
        using JsonDocument report = JsonDocument.Parse(run.Out);
        Assert.Equal("HT4001", report.RootElement.GetProperty("verdict").GetProperty("rule").GetString());
        Assert.Equal(2, report.RootElement.GetProperty("captures").GetArrayLength());
    }

    [Fact]
    public void Captures_of_two_processes_give_one_warning_and_the_verdict_on_the_later()
    {
        using TemporaryFolder folder = new();
        folder.Write("first.facts.json", Spinner(SnapshotBuilder.Windows().Pid(7).Earlier(TimeSpan.FromSeconds(10)), 11));
        folder.Write("second.facts.json", Spinner(SnapshotBuilder.Windows(), 20));

        foreach (string[] command in new string[][] { ["analyze", "second.facts.json"], ["report", "second.facts.json", "-q", "-o", "out.md"] })
        {
            ToolRun run = Tool.Run([.. command, "--earlier", "first.facts.json"], folder.Folder);

            Assert.Equal("triage: first.facts.json: it is of another process: 7, not 4242; second.facts.json is judged alone\n", run.Error);
            Assert.Equal(Tool.Run(["analyze", "second.facts.json"], folder.Folder).ExitCode, run.ExitCode);
        }
    }

    [Fact]
    public void An_earlier_capture_that_cannot_be_read_is_65_and_names_the_file()
    {
        using TemporaryFolder folder = new();
        folder.Write("second.facts.json", SmallFacts.Idle());

        ToolRun run = Tool.Run(["analyze", "second.facts.json", "--earlier", "missing.dmp"], folder.Folder);

        Assert.Equal((65, string.Empty), (run.ExitCode, run.Out));
        Assert.Contains("missing.dmp", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void The_earlier_capture_is_not_overwritten_by_the_report()
    {
        using TemporaryFolder folder = new();
        folder.Write("first.facts.json", SmallFacts.Idle());
        folder.Write("second.facts.json", SmallFacts.Idle());

        Assert.Equal(64, Tool.Run(["analyze", "second.facts.json", "--earlier", "first.facts.json", "-o", "first.facts.json"], folder.Folder).ExitCode);
    }

    private static ProcessSnapshot Spinner(SnapshotBuilder builder, double cpuSeconds)
        => builder.Thread(1, new ThreadOptions { Cpu = new CpuTime(TimeSpan.FromSeconds(cpuSeconds), TimeSpan.Zero), Life = null }, s_spin)
            .Thread(2, new ThreadOptions { Cpu = new CpuTime(TimeSpan.FromHours(1), TimeSpan.Zero) }, "ntdll!NtWaitForSingleObject").Build();
}
