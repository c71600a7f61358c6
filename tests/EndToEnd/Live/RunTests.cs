using System.Diagnostics;
using System.Globalization;
using HangTriage.Cli.Running;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>Commands that are watched.</summary>
public sealed class RunTests
{
    private const string Crossed =
        """
        static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
        static void *first(void *none) { pthread_mutex_lock(&a); sleep(1); pthread_mutex_lock(&b); return none; }
        static void *second(void *none) { pthread_mutex_lock(&b); sleep(1); pthread_mutex_lock(&a); return none; }
        """;

    [Fact]
    public void A_command_that_ends_is_passed_through_in_silence()
    {
        Linux.Need();

        ToolRun run = Tool.Run("run", "--", "sh", "-c", "echo out; echo error >&2; exit 7");

        Assert.Equal(new ToolRun(7, "out\n", "error\n"), run);
    }

    // .NET ignores SIGPIPE; a command that inherits that is told of the broken pipe, and says so.
    [Fact]
    public void A_command_starts_with_the_systems_own_way_of_taking_signals()
    {
        Linux.Need();

        ToolRun run = Tool.Run("run", "--", "sh", "-c", "yes | head -1");

        Assert.Equal(new ToolRun(0, "y\n", string.Empty), run);
    }

    [Fact]
    public void A_command_that_cannot_be_started_is_64()
    {
        Linux.Need();

        ToolRun run = Tool.Run("run", "--", "/no/such/program");

        Assert.Equal((64, string.Empty), (run.ExitCode, run.Out));
        Assert.Contains("/no/such/program cannot be started", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Tier", "all")]
    public async Task A_hang_is_judged_reported_and_ended_also_in_a_grandchild()
    {
        Linux.Need();
        string program = await DotNetPrograms.FindAsync("MonitorDeadlock", TargetFramework.Net10, TestContext.Current.CancellationToken);
        using TemporaryFolder folder = new();

        ToolRun run = Tool.Run("run", "--hang-after", "3s", "-o", folder["hang"], "--dump", "--", "sh", "-c", $"trap '' TERM; '{program}' & echo child=$!; wait; sleep 60");

        Assert.Equal(124, run.ExitCode);
        Assert.Contains("DEADLOCK", run.Error, StringComparison.Ordinal);
        Assert.True(File.Exists(folder["hang/incident.md"]) && File.Exists(folder["hang/report.json"]) && File.Exists(folder["hang/process.facts.json"]));
        Assert.Equal(1, Tool.Run("analyze", folder["hang/process.core"]).ExitCode);
        string child = run.Out.Split('\n').First(line => line.StartsWith("child=", StringComparison.Ordinal))["child=".Length..];
        Assert.False(Linux.Runs(int.Parse(child, CultureInfo.InvariantCulture)));
    }

    [Fact]
    [Trait("Tier", "live")]
    public void A_process_without_dotnet_that_is_deadlocked_is_ended()
    {
        Linux.Need();
        using TemporaryFolder folder = new();
        CompiledLibrary.Write(folder["crossed.so"], "pthread_t one, two; pthread_create(&one, 0, first, 0); pthread_create(&two, 0, second, 0); pthread_join(one, 0);", Crossed);

        ToolRun run = Tool.Run("run", "--hang-after", "3s", "--", "env", $"LD_PRELOAD={folder["crossed.so"]}", "sleep", "600");

        Assert.Equal(124, run.ExitCode);
        Assert.Contains("DEADLOCK", run.Error, StringComparison.Ordinal);
        Assert.Contains("pthread mutex", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_signal_goes_to_the_command_and_the_run_ends_with_it_also_in_the_middle_of_a_look()
    {
        Linux.Need();
        string program = await DotNetPrograms.FindAsync("IdlePool", TargetFramework.Net10, TestContext.Current.CancellationToken);
        using Process run = Tool.Start(["run", "--hang-after", "1s", "--", "sh", "-c", $"trap 'echo told; kill $child; exit 5' TERM; '{program}' & child=$!; wait"], folder: null);

        while (Samplers.Below(run.Id).Count == 0 && !run.HasExited)
        {
            await Task.Delay(5, TestContext.Current.CancellationToken);
        }

        using Process kill = Process.Start("kill", ["-TERM", $"{run.Id}"]);
        ToolRun ended = Tool.Finish(run);

        Assert.Equal((5, string.Empty), (ended.ExitCode, ended.Error));
        Assert.EndsWith("told\n", ended.Out, StringComparison.Ordinal);
    }

    // Sign of life of Microsoft.Testing.Platform: 51 bytes and the names of tests, every 30 s; waking up an idle runtime: 16 bytes.
    [Theory]
    [InlineData(16, false, false)]
    [InlineData(200, false, true)]
    [InlineData(200, true, false)]
    [InlineData(2_000, true, true)]
    public void Signs_of_life_are_no_output(long bytes, bool isTestPlatform, bool isOutput) => Assert.Equal(isOutput, Quiet.IsOutput(bytes, () => isTestPlatform));

    [Fact]
    public void A_dump_needs_a_folder()
    {
        Linux.Need();

        ToolRun run = Tool.Run("run", "--dump", "--", "true");

        Assert.Equal((64, string.Empty), (run.ExitCode, run.Out));
        Assert.Contains("--dump needs -o DIR", run.Error, StringComparison.Ordinal);
    }
}
