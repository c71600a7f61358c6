using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.EndToEnd;

/// <summary>Cores that the runtime writes where a program ends by its own doing, and where another process sends it a signal.</summary>
public sealed class CrashCoreTests
{
    [Theory]
    [InlineData("main", "System.NullReferenceException")]
    [InlineData("task", "System.NullReferenceException")]
    [InlineData("thread", "System.NullReferenceException")]
    [InlineData("rethrown", "System.InvalidOperationException")]
    public async Task An_exception_that_nothing_handles_is_the_answer(string how, string exception)
    {
        using TemporaryFolder folder = new();
        string program = Program();
        Process process = Start(program, folder, how);
        await EndAsync(process);

        ToolRun run = Tool.Run(["analyze", folder["core"], .. DotNetPrograms.DacOptions(program)]);

        Assert.Equal((0, string.Empty), (run.ExitCode, run.Error));
        Assert.Contains($"\ncrashed: {exception} in Orders.{(how == "rethrown" ? "Reload" : "Load")}\n", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("second core", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("triage attach", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("Suspects", run.Out, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_watchdog_that_ends_a_hung_program_leaves_a_hang()
    {
        using TemporaryFolder folder = new();
        string program = Program();
        await EndAsync(Start(program, folder, "failfast", "hung"));

        AssertDeadlock(program, folder);
    }

    // .NET writes the core, and does not end by the first such signal.
    [Fact]
    public async Task An_abort_that_another_process_sends_leaves_a_hang()
    {
        using TemporaryFolder folder = new();
        string program = Program();
        Process process = Start(program, folder, "wait", "hung");
        await AwaitAsync(process.StandardOutput, "ready");
        using Process kill = Process.Start("kill", ["-ABRT", process.Id.ToString(CultureInfo.InvariantCulture)]);
        await AwaitAsync(process.StandardOutput, "Dump successfully written");
        process.Kill();
        await EndAsync(process);

        AssertDeadlock(program, folder);
    }

    private static async Task AwaitAsync(StreamReader output, string text)
    {
        while (await output.ReadLineAsync(TestContext.Current.CancellationToken) is { } line
            && !line.Contains(text, StringComparison.Ordinal))
        {
        }
    }

    private static void AssertDeadlock(string program, TemporaryFolder folder)
    {
        ToolRun run = Tool.Run(["analyze", folder["core"], .. DotNetPrograms.DacOptions(program)]);

        Assert.Equal(1, run.ExitCode);
        Assert.Contains("== DEADLOCK", run.Out, StringComparison.Ordinal);
        Assert.DoesNotContain("second core", run.Out, StringComparison.Ordinal);
    }

    private static string Program()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are of Linux");
        }

        return DotNetPrograms.Find("Crashes", TargetFramework.Net10);
    }

    private static Process Start(string program, TemporaryFolder folder, params string[] how)
    {
        ProcessStartInfo start = new("sh", ["-c", "exec \"$0\" \"$@\" 2>&1", program, .. how]) { RedirectStandardOutput = true };
        start.Environment["DOTNET_DbgEnableMiniDump"] = "1";
        start.Environment["DOTNET_DbgMiniDumpType"] = "2";
        start.Environment["DOTNET_DbgMiniDumpName"] = folder["core"];
        return Process.Start(start)!;
    }

    private static async Task EndAsync(Process process)
    {
        await process.StandardOutput.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        process.Dispose();
    }
}
