using System.Diagnostics;
using HangTriage.Tests.Support.Lab;

namespace HangTriage.Tests.Lab;

/// <summary>A suspension outlives its maker on Windows: what a killed tool leaves suspended, its guardian resumes.</summary>
[Collection("live")]
public sealed class LiveSurvivalTests
{
    private const int Kills = 4;

    private static readonly TimeSpan s_bound = TimeSpan.FromMinutes(2);

    [Fact]
    public async Task A_tool_that_is_killed_while_the_target_stands_still_leaves_it_running()
    {
        using LiveWindowsProgram program = LiveWindowsProgram.Start("LivePrograms", "count");

        // The lab makes the tool when it is first asked for.
        _ = WindowsLab.Triage("--version");
        for (int i = 0; i < Kills; i++)
        {
            using Process tool = TriageProcesses.Start("attach", program.IdText, "--samples", "20", "--interval", "50ms", "--pause", "2s");
            await AwaitAsync(() => IsHeldInStop(program));
            Kill("attach", program.IdText);
            Kill("sample", program.IdText);
            await tool.WaitForExitAsync(TestContext.Current.CancellationToken);
            await AwaitAsync(() => program.SuspendCounts().Highest == 0);
            int before = program.LineCount;
            await AwaitAsync(() => program.LineCount > before);
        }

        Assert.False(program.HasLost);

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
