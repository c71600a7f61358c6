using HangTriage.Capture;
using HangTriage.Cli;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Scripts act on 1 as "it hangs", so nothing else may ever give it.</summary>
public sealed class ExitCodeTests
{
    [Theory]
    [InlineData(VerdictKind.Deadlock, 1)]
    [InlineData(VerdictKind.SpinningOwner, 1)]
    [InlineData(VerdictKind.BusyOwner, 1)]
    [InlineData(VerdictKind.Orphaned, 1)]
    [InlineData(VerdictKind.NeverCompleted, 1)]
    [InlineData(VerdictKind.Starvation, 1)]
    [InlineData(VerdictKind.BlockedOnExternal, 1)]
    [InlineData(VerdictKind.Corruption, 1)]
    [InlineData(VerdictKind.RuntimeStall, 1)]
    [InlineData(VerdictKind.Outranked, 1)]
    [InlineData(VerdictKind.SlowWait, 1)]
    [InlineData(VerdictKind.NotHung, 0)]
    [InlineData(VerdictKind.BusyNotHung, 0)]
    [InlineData(VerdictKind.Inconclusive, 2)]
    public void A_verdict_gives_the_exit_code_of_the_contract_in_every_format(VerdictKind kind, int expected)
    {
        using TemporaryFolder folder = new();
        InProcess tool = InProcess.WithVerdict(kind);
        Assert.Equal(expected, tool.Run("analyze", "x").ExitCode);
        Assert.Equal(expected, tool.Run("analyze", "x", "--format", "json").ExitCode);
        Assert.Equal(expected, tool.Run("analyze", "x", "--format", "markdown", "-o", folder["a.md"]).ExitCode);
        Assert.Equal(expected, tool.Run("report", "x", "-o", folder["b.md"]).ExitCode);
    }

    [Fact]
    public void The_table_above_has_every_kind_of_verdict()
        => Assert.Equal(
            Enum.GetValues<VerdictKind>().Length,
            typeof(ExitCodeTests).GetMethod(nameof(A_verdict_gives_the_exit_code_of_the_contract_in_every_format))!
                .GetCustomAttributes(typeof(InlineDataAttribute), false).Length);

    [Fact]
    public void A_failed_rule_gives_70_whatever_the_verdict_and_the_report_is_still_written()
    {
        foreach (VerdictKind kind in Enum.GetValues<VerdictKind>())
        {
            ToolRun run = new InProcess { Judge = _ => SmallResults.Of(kind, RuleOutcome.Failed(new InvalidOperationException("broken"))) }.Run("analyze", "x");
            Assert.Equal(70, run.ExitCode);
            Assert.StartsWith("! 1 of 1 rules failed", run.Out, StringComparison.Ordinal);
            Assert.Contains($"The title of {kind}", run.Out, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void An_internal_error_is_one_line_and_70_and_shows_its_place_only_when_asked()
    {
        InProcess tool = new() { Judge = _ => throw new NotSupportedException("not\nyet") };
        ToolRun run = tool.Run("analyze", "x");
        Assert.Equal(70, run.ExitCode);
        Assert.Equal("triage: internal error: NotSupportedException: not\\nyet (TRIAGE_DEBUG=1 shows where)\n", run.Error);
        Assert.Empty(run.Out);
        Assert.Contains("   at HangTriage.", (tool with { IsDebug = true }).Run("analyze", "x").Error, StringComparison.Ordinal);
    }

    [Fact]
    public void An_input_that_cannot_be_read_is_65_whichever_way_it_fails()
    {
        foreach (Exception error in new Exception[] { new TargetOpenException("stream 3 ends at 0x10"), new IOException("disk"), new UnauthorizedAccessException("no") })
        {
            ToolRun run = new InProcess { Capture = (_, _) => throw error }.Run("analyze", "a\u001b[2Jb");
            Assert.Equal(65, run.ExitCode);
            Assert.Equal($"triage: a\\x1b[2Jb: {error.Message}\n", run.Error);
        }
    }

    [Fact]
    public void Work_that_is_cancelled_is_130_and_leaves_no_file()
    {
        using TemporaryFolder folder = new();
        using CancellationTokenSource source = new();
        InProcess tool = new()
        {
            Cancellation = source.Token,
            Capture = (_, context) =>
            {
                source.Cancel();
                context.Cancellation.ThrowIfCancellationRequested();
                return SmallFacts.Idle();
            },
        };
        ToolRun run = tool.Run("analyze", "x", "-o", folder["report.txt"]);
        Assert.Equal(130, run.ExitCode);
        Assert.Equal("triage: cancelled\n", run.Error);
        Assert.Empty(folder.Names);
    }

    [Fact]
    public void A_cancellation_that_nobody_asked_for_is_an_internal_error()
        => Assert.Equal(70, new InProcess { Judge = _ => throw new OperationCanceledException() }.Run("analyze", "x").ExitCode);

    [Fact]
    public void No_two_exit_codes_are_the_same()
    {
        int[] codes = [ExitCode.Done, ExitCode.Hang, ExitCode.Inconclusive, ExitCode.Usage, ExitCode.Input, ExitCode.Failed, ExitCode.Output, ExitCode.Interrupted];
        Assert.Equal([0, 1, 2, 64, 65, 70, 73, 130], codes);
    }
}
