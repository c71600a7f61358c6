using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>Processes that cannot be looked at: one clear line each, and 65.</summary>
[SupportedOSPlatform("linux")]
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
            Skip.Because("gdb is not installed");
        }

        Await(() => !File.ReadAllText($"/proc/{target.Id}/status").Contains("TracerPid:\t0", StringComparison.Ordinal));

        AssertRefused($"{target.Id}", "is traced by process");

        tracer!.Kill(entireProcessTree: true);
        target.Kill();
    }

    [Fact]
    public void A_program_of_32_bits_is_65_and_the_line_says_how_to_get_a_core()
    {
        Linux.Need();
        using TemporaryFolder folder = new();

        // An ELF header, one segment, and: mov eax, 29 (pause); int 0x80; jmp back.
        File.WriteAllBytes(folder["small"], Convert.FromHexString(
            "7f454c46010101000000000000000000020003000100000054800408340000000000000000000000340020000100000000000000"
            + "010000000000000000800408008004085d0000005d0000000500000000100000b81d000000cd80ebf7"));
        File.SetUnixFileMode(folder["small"], UnixFileMode.UserRead | UnixFileMode.UserExecute);
        using Process target = StartProgramOf32Bits(folder["small"]);

        AssertRefused($"{target.Id}", $"is a program of 32 bits; only those of 64 bits are read live. Write a core of it (gcore {target.Id})");

        target.Kill();
    }

    [Theory]
    [InlineData("belongs to another user (0): run triage as that user, or as root (sudo)", "--reuid=65534", "--regid=65534", "--clear-groups")]
    [InlineData("this container may not look into processes: give it the right to (docker: --cap-add SYS_PTRACE", "--bounding-set=-sys_ptrace")]
    public void A_process_that_this_user_may_not_look_into_is_65_and_the_line_says_what_to_do(string why, params string[] rights)
    {
        Linux.Need();
        if (!Environment.IsPrivilegedProcess)
        {
            Skip.OnThisMachine("only root can start programs of another user");
        }

        // What may look, the kernel decides by the users of both: root without the right is tried on another user's, and the other way round.
        using Process target = rights.Length > 1 ? Start("sleep", "60") : Start("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sleep", "60");
        using TemporaryFolder tool = new();
        CopyForEverybody(Path.GetDirectoryName(Tool.Assembly)!, tool.Folder);
        using Process look = Process.Start(new ProcessStartInfo("setpriv", [.. rights, "dotnet", tool["triage.dll"], "attach", $"{target.Id}"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            Environment = { ["HOME"] = "/tmp" },
        })!;

        ToolRun run = Tool.Finish(look);

        Assert.Equal((65, string.Empty), (run.ExitCode, run.Out));
        Assert.Contains(why, Assert.Single(run.Error.TrimEnd().Split('\n')), StringComparison.Ordinal);
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

    private static Process StartProgramOf32Bits(string program)
    {
        try
        {
            return Start(program);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Skip.OnThisMachine("this kernel runs no programs of 32 bits");
            throw;
        }
    }

    private static void CopyForEverybody(string from, string to)
    {
        const UnixFileMode Readable = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;
        File.SetUnixFileMode(to, Readable);
        foreach (string file in Directory.EnumerateFiles(from))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
            File.SetUnixFileMode(Path.Combine(to, Path.GetFileName(file)), Readable);
        }
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
        for (int i = 0; i < 2_400 && !isSo(); i++)
        {
            Thread.Sleep(50);
        }

        Assert.True(isSo());
    }
}
