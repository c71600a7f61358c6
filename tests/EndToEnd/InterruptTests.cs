using System.Diagnostics;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

public sealed class InterruptTests
{
    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public void An_interrupted_tool_ends_with_130_and_one_line_and_leaves_no_file(string signal)
    {
        if (OperatingSystem.IsWindows())
        {
            Skip.Because("Windows has no named pipes in folders to wait on, and no kill");
        }

        using TemporaryFolder folder = new();
        Run("mkfifo", folder["in"]);

        // The tool waits for what never comes: nothing is written to the pipe. Opening it waits for the tool's own opening.
        using Process process = Tool.Start(["analyze", "in", "-o", "out"], folder.Folder);
        using FileStream silence = new(folder["in"], FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        Run("kill", $"-{signal}", process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture));
        ToolRun run = Tool.Finish(process);
        Assert.Equal(130, run.ExitCode);
        Assert.Equal("triage: cancelled\n", run.Error);
        Assert.Equal(["in"], folder.Names);
    }

    private static void Run(string command, params string[] arguments)
    {
        using Process process = Process.Start(command, arguments);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }
}
