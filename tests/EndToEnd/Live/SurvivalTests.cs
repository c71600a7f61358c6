using System.Diagnostics;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>A process that checks its own progress survives whatever becomes of those that look at it.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
public sealed class SurvivalTests
{
    // HANGTRIAGE_KILLS=200 and HANGTRIAGE_LOOKS=100 for many, of each kind.
    private const int UsualKills = 3;
    private const int UsualLooks = 1;

    // Calls of ptrace(2) on a target in its stop: the registers of its first thread are read, and one behind the other is let go.
    private const int AllStand = 0x4204;
    private const int SomeAreFree = 17;

    // A line each 100 ms: who has printed so many and still has a thread that stands, has lost it.
    private const int LinesBehindKill = 100;

    // From before the first stop to behind several.
    private const int MostOfSampler = 1_200;

    [Theory]
    [InlineData("count", AllStand)]
    [InlineData("count", SomeAreFree)]
    [InlineData("allocate", AllStand)]
    [InlineData("allocate", SomeAreFree)]
    public async Task A_tool_that_is_killed_while_the_target_stands_still_leaves_it_running(string name, int request)
    {
        Linux.Need();
        using TemporaryFolder folder = new();
        using LiveProgram program = await LiveProgram.StartAsync("LivePrograms", [name], TestContext.Current.CancellationToken);
        string[] look = ["attach", program.IdText, "--samples", "1", "--pause", "2s", "--quiet"];
        using Process tool = Tool.Start(look, folder: null, HeldSampler.At(folder["held.so"], program.IdText, request));
        Task<string> output = tool.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);

        await new Patience(TimeSpan.FromMinutes(5), tool.Id).UntilAsync(
            "a sampler that stands still while the target does",
            () => tool.HasExited || (Samplers.HolderOf(program.Id) is > 0 and int holder && Proc.StateOf($"/proc/{holder}") == 'T'),
            TestContext.Current.CancellationToken);

        Assert.False(tool.HasExited, "no sampler was held");
        Assert.Contains('t', program.States);
        tool.Kill(entireProcessTree: true);
        await tool.WaitForExitAsync(TestContext.Current.CancellationToken);
        await AssertRunsAsync(program);
    }

    [Theory]
    [InlineData("count")]
    [InlineData("allocate")]
    public Task A_tool_that_is_killed_at_any_moment_leaves_the_target_running(string name)
    {
        Random random = new(17);
        return AssertSurvivesAsync(name, async (_, tool) =>
        {
            TimeSpan moment = TimeSpan.FromMilliseconds(random.Next(MostOfSampler));
            IReadOnlyList<int> samplers = [];
            await tool.Patience.UntilAsync("a sampler", () => tool.Process.HasExited || (samplers = Samplers.Below(tool.Process.Id)).Count > 0, TestContext.Current.CancellationToken);
            await tool.Patience.UntilAsync("the moment", () => samplers.All(sampler => Samplers.Used(sampler) is not { } used || used >= moment), TestContext.Current.CancellationToken);
            return !tool.Process.HasExited;
        });
    }

    [Theory]
    [InlineData("count")]
    [InlineData("allocate")]
    public async Task A_target_at_full_speed_is_read_again_and_again_and_no_hang_is_seen_in_it(string name)
    {
        Linux.Need();
        using LiveProgram program = await LiveProgram.StartAsync("LivePrograms", [name], TestContext.Current.CancellationToken);
        for (int i = 0; i < Times("HANGTRIAGE_LOOKS", UsualLooks); i++)
        {
            ToolRun run = Tool.Run("attach", program.IdText, "--samples", "2", "--interval", "100ms", "--pause", "2s", "--format", "json");

            // In the middle of a garbage collection nothing is claimed; never is a hang. Errors have a line for each thing that
            // went wrong, such as a crash of the library that reads the runtime.
            Assert.True(run.ExitCode is 0 or 2 && run.Error.Length == 0, run.ToString());
            await AssertRunsAsync(program);
        }
    }

    private static int Times(string variable, int usual) => int.TryParse(Environment.GetEnvironmentVariable(variable), out int times) ? times : usual;

    /// <param name="name">The target.</param>
    /// <param name="isMoment">Waits for the moment of the kill; false where the tool had ended before it.</param>
    private static async Task AssertSurvivesAsync(string name, Func<LiveProgram, (Process Process, Patience Patience), Task<bool>> isMoment)
    {
        Linux.Need();
        using LiveProgram program = await LiveProgram.StartAsync("LivePrograms", [name], TestContext.Current.CancellationToken);
        for (int kills = 0; kills < Times("HANGTRIAGE_KILLS", UsualKills);)
        {
            using Process tool = Tool.Start(["attach", program.IdText, "--samples", "3", "--interval", "50ms", "--pause", "2s", "--quiet"], folder: null);
            Task<string> output = tool.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
            kills += await isMoment(program, (tool, new Patience(TimeSpan.FromMinutes(5), tool.Id))) ? 1 : 0;
            tool.Kill(entireProcessTree: true);
            await tool.WaitForExitAsync(TestContext.Current.CancellationToken);
            await AssertRunsAsync(program);
        }
    }

    // A thread is in its stop for a moment behind the kill; whoever stays there is lost.
    private static async Task AssertRunsAsync(LiveProgram program)
    {
        int before = program.Lines.Count;
        bool runs = false;
        await program.Patience().UntilAsync(
            $"the target, whose threads are in {program.States}",
            () => program.HasEnded || program.Lines.Count > before + LinesBehindKill || (runs = program.Lines.Count > before && program.States.All(state => state is not ('T' or 't'))),
            TestContext.Current.CancellationToken);

        Assert.False(program.HasEnded, string.Join(" | ", program.Lines.TakeLast(3)));
        Assert.True(runs, $"threads are in {program.States}");
        Assert.DoesNotContain(program.Lines, line => line.StartsWith("LOST", StringComparison.Ordinal));
    }
}
