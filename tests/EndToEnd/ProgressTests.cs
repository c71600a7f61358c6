using System.Diagnostics;
using HangTriage.Cli;
using HangTriage.Rules.Policy;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

public sealed class ProgressTests
{
    [Fact]
    public void Work_hears_of_a_cancellation_and_the_tool_waits_for_it_to_let_go()
    {
        using CancellationTokenSource source = new();
        bool hasLetGo = false;
        InProcess tool = new()
        {
            Cancellation = source.Token,
            Capture = (_, context) =>
            {
                source.CancelAfter(10);
                context.Cancellation.WaitHandle.WaitOne();
                Thread.Sleep(50);
                hasLetGo = true;
                throw new OperationCanceledException(context.Cancellation);
            },
        };
        Assert.Equal(130, tool.Run("analyze", "x").ExitCode);
        Assert.True(hasLetGo);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1_300)]
    public void Work_that_does_not_hear_of_it_is_left_behind(int delay)
    {
        using CancellationTokenSource source = new();
        using ManualResetEventSlim never = new();
        InProcess tool = new()
        {
            Cancellation = source.Token,
            Capture = (_, _) =>
            {
                source.CancelAfter(delay);
                never.Wait(TimeSpan.FromMinutes(1));
                return SmallFacts.Idle();
            },
        };
        Stopwatch watch = Stopwatch.StartNew();
        Assert.Equal(130, tool.Run("analyze", "x").ExitCode);
        Assert.InRange(watch.Elapsed.TotalSeconds, 0, 20);
        never.Set();
    }

    [Fact]
    public void Progress_reaches_no_stream_that_is_not_a_terminal()
    {
        InProcess tool = InProcess.WithVerdict(VerdictKind.NotHung) with
        {
            Capture = (_, context) =>
            {
                context.Progress!.Report("threads");
                Thread.Sleep(1_300);
                return SmallFacts.Idle();
            },
        };
        ToolRun run = tool.Run("analyze", "x");
        Assert.Equal(0, run.ExitCode);
        Assert.Empty(run.Error);
        Assert.StartsWith("== NOT HUNG", run.Out, StringComparison.Ordinal);
    }
}
