using System.Text.Json;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Samples;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>Samples that are looked at while they hang: the verdict of their dump, or a surer one.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
[Trait("Tier", "all")]
public sealed class LiveSampleTests
{
    // The machine may be busy with other work than tests.
    private const string Patience = "2s";

    public static TheoryData<string> Samples { get; } = [.. SampleList.Managed, .. SampleList.OfLinux];

    [Theory]
    [MemberData(nameof(Samples))]
    public async Task A_live_sample_is_judged_as_its_core_is_or_surer(string sample)
    {
        Linux.Need();
        ExpectedCell expected = ExpectedCell.Of(sample, TargetFramework.Net10.Moniker(), DumpKind.Full);
        using LiveProgram program = await LiveProgram.StartAsync(Path.GetFileName(sample), [], TestContext.Current.CancellationToken);

        ToolRun run = LiveVerdict.Look(expected.Verdict!, longer => Tool.Run("attach", program.IdText, "--samples", longer ? "5" : "2", "--interval", longer ? "2s" : "500ms", "--pause", Patience, "--format", "json"));

        Assert.Empty(LiveVerdict.Differences(expected.Verdict!, run));
        Assert.Contains("\"kind\": \"liveProcess\"", run.Out, StringComparison.Ordinal);
        Assert.Contains("\"stoodStill\"", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain(program.States, state => state is 'T' or 't');
    }

    [Fact]
    public async Task What_moves_between_samples_is_no_hang_and_what_stands_beside_nothing_that_acts_is_one()
    {
        Linux.Need();
        using LiveProgram moving = await LiveProgram.StartAsync("LivePrograms", ["moving"], TestContext.Current.CancellationToken);
        using LiveProgram frozen = await LiveProgram.StartAsync("LivePrograms", ["frozen"], TestContext.Current.CancellationToken);

        ToolRun ofMoving = await JudgeBehindProgressAsync(moving, () => moving.WaitsOf("worker"));
        ToolRun ofFrozen = Tool.Run("attach", frozen.IdText, "--pause", Patience, "--format", "json");
        ToolRun ofFrozenSaid = Tool.Run("attach", frozen.IdText, "--pause", Patience, "--hung", "--samples", "1");

        Assert.True(ofMoving.ExitCode == 0, ofMoving.ToString());
        Assert.Equal(1, ofFrozen.ExitCode);
        Assert.Contains("Handover.Run", ofFrozen.Out, StringComparison.Ordinal);
        Assert.Equal(1, ofFrozenSaid.ExitCode);
    }

    [Fact]
    public async Task A_queue_that_drains_slowly_is_no_hang_and_the_same_queue_whose_consumer_is_blocked_is_one()
    {
        Linux.Need();
        using LiveProgram draining = await LiveProgram.StartAsync("LivePrograms", ["draining"], TestContext.Current.CancellationToken);
        using LiveProgram stopped = await LiveProgram.StartAsync("LivePrograms", ["stopped"], TestContext.Current.CancellationToken);

        ToolRun ofDraining = await JudgeBehindProgressAsync(draining, () => draining.Lines.Count);
        ToolRun ofStopped = Tool.Run("attach", stopped.IdText, "--pause", Patience);

        Assert.True(ofDraining.ExitCode == 0, ofDraining.ToString());
        Assert.Equal(1, ofStopped.ExitCode);
        Assert.Contains("\"consumer\" waits in Draining.Consume", ofStopped.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task One_thread_that_spins_is_found_among_a_thousand_by_its_processor_time_within_three_samples()
    {
        Linux.Need();
        using LiveProgram program = await LiveProgram.StartAsync("LivePrograms", ["spinner", "1000"], TestContext.Current.CancellationToken);

        await program.HurryAsync(TestContext.Current.CancellationToken);

        // What it took to start so many threads is then little beside the loop.
        await program.Patience().UntilAsync("the loop's share", () => program.CpuShareOf("spinner") >= 0.95, TestContext.Current.CancellationToken, TimeSpan.FromMilliseconds(100));

        ExpectedVerdict expected = new() { Kind = "BusyNotHung", Rule = "HT4002", ExitCode = 0 };
        ToolRun run = LiveVerdict.Look(expected, _ => Tool.Run("attach", program.IdText, "--samples", "3", "--pause", Patience, "--format", "json"));

        Assert.Empty(LiveVerdict.Differences(expected, run));
        using JsonDocument report = JsonDocument.Parse(run.Out);
        Assert.Contains("\"spinner\" computes in ", report.RootElement.GetProperty("verdict").GetProperty("title").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Facts_and_the_incident_report_of_a_live_process_are_written_as_of_a_dump()
    {
        Linux.Need();
        using LiveProgram program = await LiveProgram.StartAsync("MonitorDeadlock", [], TestContext.Current.CancellationToken);
        using TemporaryFolder folder = new();

        ToolRun capture = Tool.Run("capture", program.IdText, "-o", folder["live.facts.json"], "--samples", "2", "--interval", "200ms");
        ToolRun analyze = Tool.Run("analyze", folder["live.facts.json"], "--format", "json");
        ToolRun report = Tool.Run("report", program.IdText, "-o", folder["incident.md"], "--samples", "1");

        Assert.Equal((0, 1), (capture.ExitCode, report.ExitCode));
        Assert.Empty(ReportCheck.Differences(ExpectedVerdict.Of("MonitorDeadlock"), analyze));
        Assert.Contains("stood still", await File.ReadAllTextAsync(folder["incident.md"], TestContext.Current.CancellationToken), StringComparison.Ordinal);
    }

    // One look, and one when the program has moved by its own account or the kernel's: no clock decides whether it could.
    private static async Task<ToolRun> JudgeBehindProgressAsync(LiveProgram program, Func<long> progress)
    {
        const int Steps = 5;
        using TemporaryFolder folder = new();
        string[] looks = ["first.facts.json", "second.facts.json"];
        foreach (string look in looks)
        {
            ToolRun capture = Tool.Run(["capture", program.IdText, "-o", look, "--samples", "1", "--pause", Patience], folder.Folder);
            Assert.True(capture.ExitCode == 0, capture.ToString());
            long before = progress();
            await program.Patience().UntilAsync("progress", () => progress() > before + Steps, TestContext.Current.CancellationToken);
        }

        return Tool.Run(["analyze", looks[1], "--earlier", looks[0]], folder.Folder);
    }
}
