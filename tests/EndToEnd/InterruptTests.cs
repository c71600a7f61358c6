using System.Diagnostics;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

public sealed class InterruptTests
{
    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public async Task An_interrupted_tool_ends_with_130_and_one_line_and_leaves_no_file(string signal)
    {
        if (OperatingSystem.IsWindows())
        {
            Skip.Because("Windows has no named pipes in folders to wait on, and no kill");
        }

        using TemporaryFolder folder = new();
        Run("mkfifo", folder["in"]);

        // The tool waits for what never comes: nothing is written to the pipe. Opening it waits for the tool's own opening, and
        // a tool that ends before it does leaves a pipe that nobody will open: this process then opens it to read, too.
        using Process process = Tool.Start(["analyze", "in", "-o", "out"], folder.Folder);
        Task<FileStream> opening = Task.Run(() => new FileStream(folder["in"], FileMode.Open, FileAccess.Write, FileShare.ReadWrite));
        if (await Task.WhenAny(opening, process.WaitForExitAsync(TestContext.Current.CancellationToken)) != opening)
        {
            await using FileStream reader = new(folder["in"], FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
            await (await opening).DisposeAsync();
            Assert.Fail($"the tool ended before it opened its input: {Tool.Finish(process)}");
        }

        await using FileStream silence = await opening;
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
