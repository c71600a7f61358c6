using System.Diagnostics;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>A process that checks its own progress survives whatever becomes of those that look at it.</summary>
[Trait("Tier", "all")]
public sealed class SurvivalTests
{
    // HANGTRIAGE_KILLS=200 and HANGTRIAGE_LOOKS=100 for many.
    private const int UsualKills = 12;
    private const int UsualLooks = 1;

    [Theory]
    [InlineData("count")]
    [InlineData("allocate")]
    public async Task A_tool_that_is_killed_leaves_the_target_running(string name)
    {
        Linux.Need();
        using LiveProgram program = await LiveProgram.StartAsync("LivePrograms", [name], TestContext.Current.CancellationToken);
        Random random = new(17);
        for (int i = 0; i < Times("HANGTRIAGE_KILLS", UsualKills); i++)
        {
            using Process tool = Tool.Start(["attach", program.IdText, "--samples", "2", "--interval", "50ms"], folder: null);
            await Task.Delay(random.Next(100, 2_000), TestContext.Current.CancellationToken);
            tool.Kill(entireProcessTree: true);
            await tool.WaitForExitAsync(TestContext.Current.CancellationToken);
            await AssertRunsAsync(program);
        }

        ToolRun run = Tool.Run("attach", program.IdText, "--samples", "2", "--interval", "100ms", "--pause", "2s");

        // In the middle of a garbage collection nothing is claimed; never is a hang.
        Assert.True(run.ExitCode is 0 or 2, run.ToString());
        await AssertRunsAsync(program);
    }

    [Fact]
    public async Task A_target_that_allocates_at_full_speed_is_read_again_and_again_and_no_hang_is_seen_in_it()
    {
        Linux.Need();
        using LiveProgram program = await LiveProgram.StartAsync("LivePrograms", ["allocate"], TestContext.Current.CancellationToken);
        for (int i = 0; i < Times("HANGTRIAGE_LOOKS", UsualLooks); i++)
        {
            ToolRun run = Tool.Run("attach", program.IdText, "--samples", "2", "--interval", "100ms", "--pause", "2s", "--format", "json");

            // Errors have a line for each thing that went wrong, such as a crash of the library that reads the runtime.
            Assert.True(run.ExitCode is 0 or 2 && run.Error.Length == 0, run.ToString());
            await AssertRunsAsync(program);
        }
    }

    private static int Times(string variable, int usual) => int.TryParse(Environment.GetEnvironmentVariable(variable), out int times) ? times : usual;

    // A thread is in its stop for a moment behind the kill; whoever stays there is lost.
    private static async Task AssertRunsAsync(LiveProgram program)
    {
        int before = program.Lines.Count;
        for (int i = 0; i < 100 && (program.Lines.Count == before || program.States.Any(state => state is 'T' or 't')); i++)
        {
            await Task.Delay(50, TestContext.Current.CancellationToken);
        }

        Assert.False(program.HasEnded);
        Assert.DoesNotContain(program.States, state => state is 'T' or 't');
        Assert.True(program.Lines.Count > before);
        Assert.DoesNotContain(program.Lines, line => line.StartsWith("LOST", StringComparison.Ordinal));
    }
}
