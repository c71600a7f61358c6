using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using HangTriage.Tests.Support.Waiting;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>Commands that are watched, and fall silent.</summary>
[Collection(LiveCollection.Name)]
[Trait("Tier", LiveCollection.Tier)]
public sealed class RunHangTests
{
    [Fact]
    public void A_hang_is_judged_reported_and_ended_also_in_a_grandchild()
    {
        Linux.Need();
        string program = DotNetPrograms.Find("MonitorDeadlock", TargetFramework.Net10);
        using TemporaryFolder folder = new();

        // The silence begins when the program hangs, which it says itself.
        string noise = $"until grep -q READY said; do echo '{new string('.', 80)}'; sleep 1; done";
        ToolRun run = Tool.Run(["run", "--hang-after", "3s", "-o", "hang", "--dump", "--", "sh", "-c", $"trap '' TERM; '{program}' > said & echo child=$!; {noise}; wait; sleep 60"], folder.Folder);

        Assert.Equal(124, run.ExitCode);
        Assert.Contains("DEADLOCK", run.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(folder["hang/incident.md"]) && File.Exists(folder["hang/report.json"]) && File.Exists(folder["hang/process.facts.json"]));
        Assert.Equal(1, Tool.Run("analyze", folder["hang/process.core"]).ExitCode);
        string child = run.Out.Split('\n').First(line => line.StartsWith("child=", StringComparison.Ordinal))["child=".Length..];
        Assert.False(Proc.Runs(int.Parse(child, CultureInfo.InvariantCulture)));
    }

    [Fact]
    public async Task A_signal_goes_to_the_command_and_the_run_ends_with_it_also_in_the_middle_of_a_look()
    {
        Linux.Need();
        string program = DotNetPrograms.Find("IdlePool", TargetFramework.Net10);
        using Process run = Tool.Start(["run", "--hang-after", "1s", "--", "sh", "-c", $"trap 'echo told; kill $child; exit 5' TERM; '{program}' & child=$!; wait"], folder: null);

        await new Patience(TimeSpan.FromMinutes(5), run.Id).UntilAsync("a sampler", () => Samplers.Below(run.Id).Count > 0 || run.HasExited, TestContext.Current.CancellationToken);

        using Process kill = Process.Start("kill", ["-TERM", $"{run.Id}"]);
        ToolRun ended = Tool.Finish(run);

        Assert.Equal((5, string.Empty), (ended.ExitCode, ended.Error));
        Assert.EndsWith("told\n", ended.Out, StringComparison.Ordinal);
    }

    // It hangs in the samples that were taken before: whatever it waited for, it waits no more.
    [Fact]
    public async Task A_process_that_ends_in_the_middle_of_a_look_is_no_hang()
    {
        Linux.Need();
        const int samplesOfLook = 3;
        string program = DotNetPrograms.Find("MonitorDeadlock", TargetFramework.Net10);
        using TemporaryFolder folder = new();
        string script = $"trap 'kill $!; exit 5' TERM; '{program}' & echo $! > hung; wait $!; sleep 600 & wait";
        using Process run = Tool.Start(["run", "--hang-after", "3s", "--", "sh", "-c", script], folder.Folder);
        Patience patience = new(TimeSpan.FromMinutes(5), run.Id);
        HashSet<int> samplers = [];

        // The tool loads the last sampler when it has the first sample, and stands still while the process ends.
        await patience.UntilAsync("the last sampler", () => IsSeen(samplesOfLook), TestContext.Current.CancellationToken);
        Samplers.Stop([run.Id]);
        string id = await File.ReadAllTextAsync(folder["hung"], TestContext.Current.CancellationToken);
        int hung = int.Parse(id, CultureInfo.InvariantCulture);
        Assert.True(run.HasExited || Samplers.Below(run.Id).Count > 0);
        Process.GetProcessById(hung).Kill();
        await patience.UntilAsync("the end", () => !Proc.Runs(hung), TestContext.Current.CancellationToken);
        Samplers.Continue([run.Id]);

        // Then it looks at the others, and does not end the command.
        await patience.UntilAsync("the next look", () => IsSeen(samplesOfLook + 1), TestContext.Current.CancellationToken);
        using Process kill = Process.Start("kill", ["-TERM", $"{run.Id}"]);
        ToolRun ended = Tool.Finish(run);
        Assert.Equal(5, ended.ExitCode);
        Assert.DoesNotContain("triage:", ended.Error, StringComparison.Ordinal);

        bool IsSeen(int count)
        {
            samplers.UnionWith(Samplers.Below(run.Id));
            return samplers.Count >= count || run.HasExited;
        }
    }
}
