using System.Diagnostics;
using HangTriage.Tests.Support.Lab;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.Lab;

/// <summary>A suspension outlives its maker on Windows: what a killed tool leaves suspended, its guardian resumes.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
[Trait("Tier", "all")]
public sealed class LiveSurvivalTests
{
    // HANGTRIAGE_KILLS=50 for many, of each kind.
    private const int UsualKills = 4;

    // A line each 100 ms: who has printed so many and still has a thread that stands, has lost it.
    private const int LinesBehindKill = 300;

    // Processor time of the first sampler: from before the first stop to behind it.
    private const int MostOfSampler = 1_500;

    // The list of all processes is long, and reading it takes time from those that are waited for.
    private static readonly TimeSpan s_listing = TimeSpan.FromMilliseconds(50);

    private static int Kills { get; } = int.TryParse(Environment.GetEnvironmentVariable("HANGTRIAGE_KILLS"), out int kills) ? kills : UsualKills;

    [Fact]
    public Task A_tool_that_is_killed_while_the_target_stands_still_leaves_it_running() => AssertSurvivesAsync(async (program, tool) =>
    {
        bool isHeld = false;
        while (!isHeld && !tool.HasExited)
        {
            // One of the tool's samplers is let run for moments, until it is held while the target stands still.
            IReadOnlyList<int> samplers = [];
            await program.Patience().UntilAsync("a sampler", () => tool.HasExited || (samplers = TriageProcesses.Of("sample", program.IdText)).Count > 0, Cancellation, s_listing);
            await program.Patience().UntilAsync("a stop", () => !samplers.Any(Proc.Runs)
                || (isHeld = IsHeldInStop(program, samplers)), Cancellation);
        }

        return isHeld;
    });

    [Fact]
    public Task A_tool_that_is_killed_at_any_moment_leaves_the_target_running()
    {
        Random random = new(13);
        return AssertSurvivesAsync(async (program, tool) =>
        {
            TimeSpan moment = TimeSpan.FromMilliseconds(random.Next(MostOfSampler));
            IReadOnlyList<int> samplers = [];
            await program.Patience().UntilAsync("a sampler", () => tool.HasExited || (samplers = TriageProcesses.Of("sample", program.IdText)).Count > 0, Cancellation, s_listing);
            TreeActivity activity = new(() => samplers);
            await program.Patience().UntilAsync(
                "the moment",
                () =>
                {
                    _ = activity.Look();
                    return activity.Used >= moment || !samplers.Any(Proc.Runs);
                },
                Cancellation);
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
            await tool.WaitForExitAsync(Cancellation);
            await AssertRunsAsync(program);
        }

        // One whose maker was killed while Windows created it never comes to run.
        Kill("guard", string.Empty);
    }

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private static async Task AssertRunsAsync(LiveWindowsProgram program)
    {
        int behindKill = program.LineCount;
        bool isFree = false;
        await program.Patience().UntilAsync("the target", () => (isFree = program.SuspendCounts().Highest == 0) || program.LineCount > behindKill + LinesBehindKill, Cancellation, s_listing);
        Assert.True(isFree);
        int before = program.LineCount;
        await program.Patience().UntilAsync("a line of the target", () => program.LineCount > before, Cancellation);
        Assert.False(program.HasLost);
    }

    private static bool IsHeldInStop(LiveWindowsProgram program, IReadOnlyList<int> samplers)
    {
        TriageProcesses.Signal("STOP", samplers);
        bool isInStop = program.SuspendCounts().Highest > 0;
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
}
