using System.Diagnostics;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>A suspension outlives its maker on Windows: what a killed tool leaves suspended, its guardian resumes.</summary>
[Collection("live")]
[Trait("Tier", "all")]
public sealed class LiveSurvivalTests
{
    // HANGTRIAGE_KILLS=50 for many, of each kind.
    private const int UsualKills = 4;

    private static readonly TimeSpan s_bound = TimeSpan.FromMinutes(5);

    private static int Kills { get; } = int.TryParse(Environment.GetEnvironmentVariable("HANGTRIAGE_KILLS"), out int kills) ? kills : UsualKills;

    [Fact]
    public Task A_tool_that_is_killed_while_the_target_stands_still_leaves_it_running() => AssertSurvivesAsync(async (program, tool) =>
    {
        await AwaitAsync(() => tool.HasExited || IsHeldInStop(program));
        return !tool.HasExited;
    });

    [Fact]
    public Task A_tool_that_is_killed_at_any_moment_leaves_the_target_running()
    {
        Random random = new(13);

        // From before the first stop to behind several. On a busy machine the tool takes seconds to start.
        return AssertSurvivesAsync(async (program, tool) =>
        {
            await AwaitAsync(() => tool.HasExited || TriageProcesses.Of("attach", program.IdText).Count > 0);
            await Task.Delay(random.Next(200, 4_000), TestContext.Current.CancellationToken);
            return !tool.HasExited;
        });
    }

    /// <param name="isMoment">Waits for the moment of the kill; false where the tool had ended before it.</param>
    private static async Task AssertSurvivesAsync(Func<LiveWindowsProgram, Process, Task<bool>> isMoment)
    {
        using LiveWindowsProgram program = LiveWindowsProgram.Start("LivePrograms", "count");

        // The lab makes the tool when it is first asked for.
        _ = WindowsLab.Triage("--version");
        for (int kills = 0; kills < Kills;)
        {
            using Process tool = TriageProcesses.Start("attach", program.IdText, "--samples", "20", "--interval", "50ms", "--pause", "2s");
            kills += await isMoment(program, tool) ? 1 : 0;
            Kill("attach", program.IdText);
            Kill("sample", program.IdText);
            await tool.WaitForExitAsync(TestContext.Current.CancellationToken);
            await AwaitAsync(() => program.SuspendCounts().Highest == 0);
            int before = program.LineCount;
            await AwaitAsync(() => program.LineCount > before);
            Assert.False(program.HasLost);
        }

        // One whose maker was killed while Windows created it never comes to run.
        Kill("guard", string.Empty);
    }

    // Its sampler is let run for moments, until it is held while the target stands still.
    private static bool IsHeldInStop(LiveWindowsProgram program)
    {
        IReadOnlyList<int> samplers = TriageProcesses.Of("sample", program.IdText);
        TriageProcesses.Signal("STOP", samplers);
        bool isInStop = samplers.Count > 0 && program.SuspendCounts().Highest > 0;
        if (!isInStop)
        {
            TriageProcesses.Signal("CONT", samplers);
        }

        return isInStop;
    }

    private static void Kill(string role, string argument)
    {
        foreach (int process in TriageProcesses.Of(role, argument))
        {
            TriageProcesses.Kill(process);
        }
    }

    private static async Task AwaitAsync(Func<bool> isSo)
    {
        Stopwatch waited = Stopwatch.StartNew();
        bool isNow = isSo();
        while (!isNow && waited.Elapsed < s_bound)
        {
            await Task.Delay(5, TestContext.Current.CancellationToken);
            isNow = isSo();
        }

        Assert.True(isNow);
    }
}
