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
            Skip.Because("Windows has no kill");
        }

        using TemporaryFolder folder = new();
        using Process process = Tool.StartWithInput(["summary", "-", "-o", "out"], folder.Folder);
        Fill(process);

        // It waits for the rest, which never comes.
        Run("kill", $"-{signal}", process.Id.ToString(System.Globalization.CultureInfo.InvariantCulture));
        ToolRun run = Tool.Finish(process);
        Assert.Equal(130, run.ExitCode);
        Assert.Equal("triage: cancelled\n", run.Error);
        Assert.Empty(folder.Names);
    }

    /// <summary>Writes more than a pipe holds, so that the tool has begun to read when this returns.</summary>
    private static void Fill(Process process)
    {
        byte[] lines = new byte[1 << 20];
        lines.AsSpan().Fill((byte)'\n');
        try
        {
            process.StandardInput.BaseStream.Write(lines);
        }
        catch (IOException)
        {
            Assert.Fail($"the tool ended before it read its input: {Tool.Finish(process)}");
        }
    }

    private static void Run(string command, params string[] arguments)
    {
        using Process process = Process.Start(command, arguments);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }
}
