using HangTriage.Cli.Running;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

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
    [Trait("Tier", "live")]
    public void A_process_without_dotnet_that_is_deadlocked_is_ended()
    {
        Linux.Need();
        using TemporaryFolder folder = new();
        CompiledLibrary.Write(folder["crossed.so"],
            "pthread_t one, two; pthread_create(&one, 0, first, 0); pthread_create(&two, 0, second, 0); pthread_join(one, 0);", Crossed);

        ToolRun run = Tool.Run("run", "--hang-after", "3s", "--", "env", $"LD_PRELOAD={folder["crossed.so"]}", "sleep", "600");

        Assert.Equal(124, run.ExitCode);
        Assert.Contains("DEADLOCK", run.Error, StringComparison.Ordinal);
        Assert.Contains("pthread mutex", run.Error, StringComparison.Ordinal);
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
