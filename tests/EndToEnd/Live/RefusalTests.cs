using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>Processes that cannot be looked at: one clear line each, and 65.</summary>
public sealed class RefusalTests
{
    [Fact]
    public void A_process_that_is_not_there_is_65() => AssertRefused("4194999", "there is no process 4194999");

    [Fact]
    public void A_process_that_has_ended_is_65_and_its_parent_is_named()
    {
        Linux.Need();
        using Process parent = Start("sh", "-c", "sleep 0.1 & echo $!; exec sleep 60");
        string zombie = parent.StandardOutput.ReadLine()!;
        Await(() => File.Exists($"/proc/{zombie}/stat") && File.ReadAllText($"/proc/{zombie}/stat").Contains(") Z ", StringComparison.Ordinal));

        AssertRefused(zombie, $"waits for its parent, process {parent.Id}");

        parent.Kill();
    }

    [Fact]
    public void A_process_that_is_traced_is_65_and_its_tracer_is_named()
    {
        Linux.Need();
        using Process target = Start("sleep", "60");
        using Process? tracer = StartIfThere("gdb", "-q", "-p", $"{target.Id}", "-ex", "shell sleep 60");
        if (tracer is null)
        {
            Support.Skip.Because("gdb is not installed");
        }

        Await(() => !File.ReadAllText($"/proc/{target.Id}/status").Contains("TracerPid:\t0", StringComparison.Ordinal));

        AssertRefused($"{target.Id}", "is traced by process");

        tracer!.Kill(entireProcessTree: true);
        target.Kill();
    }

    [Fact]
    public void A_name_of_several_processes_lists_them_and_is_64()
    {
        Linux.Need();
        using Process one = Start("sleep", "61");
        using Process other = Start("sleep", "62");

        ToolRun run = Tool.Run("attach", "sleep");

        Assert.Equal(64, run.ExitCode);
        Assert.Contains("processes are called sleep; say which by its id", run.Error, StringComparison.Ordinal);
        Assert.Contains(one.Id.ToString(CultureInfo.InvariantCulture), run.Error, StringComparison.Ordinal);
        Assert.Contains(other.Id.ToString(CultureInfo.InvariantCulture), run.Error, StringComparison.Ordinal);
        Assert.Equal(64, Tool.Run("attach", "no-such-program-runs").ExitCode);
        one.Kill();
        other.Kill();
    }

    [Fact]
    public void A_program_without_dot_net_is_read_and_stands_on_afterwards()
    {
        Linux.Need();
        using Process target = Start("sleep", "60");
        _ = Start(target.Id, "-STOP");

        ToolRun run = Tool.Run("attach", $"{target.Id}", "--samples", "1", "--format", "json");

        // What job control has stopped stays so.
        Assert.Contains("\"liveProcess\"", run.Out, StringComparison.Ordinal);
        Assert.Contains("State:\tT", File.ReadAllText($"/proc/{target.Id}/status"), StringComparison.Ordinal);
        target.Kill();
    }

    private static void AssertRefused(string process, string why)
    {
        Linux.Need();
        ToolRun run = Tool.Run("attach", process);

        Assert.Equal((65, string.Empty), (run.ExitCode, run.Out));
        Assert.Contains(why, run.Error, StringComparison.Ordinal);
        Assert.Single(run.Error.TrimEnd().Split('\n'));
    }

    private static Process Start(string program, params string[] arguments)
        => Process.Start(new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardInput = true })!;

    private static int Start(int process, string signal)
    {
        using Process kill = Start("kill", signal, process.ToString(CultureInfo.InvariantCulture));
        kill.WaitForExit();
        return kill.ExitCode;
    }

    private static Process? StartIfThere(string program, params string[] arguments)
    {
        try
        {
            return Start(program, arguments);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return null;
        }
    }

    private static void Await(Func<bool> isSo)
    {
        for (int i = 0; i < 200 && !isSo(); i++)
        {
            Thread.Sleep(50);
        }

        Assert.True(isSo());
    }
}
