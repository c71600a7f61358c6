using System.Diagnostics;
using System.Globalization;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>A process in a mount and pid namespace of its own, with its own copy of .NET, as a container's is.</summary>
public sealed class NamespaceTests
{
    // What a container's runtime does: a root of its own (not a chroot: the kernel then shows paths as the process has them), and a /proc.
    private const string Enter =
        """
        set -e
        mount --make-rprivate /
        mount --bind "$1" "$1"
        cd "$1"
        mkdir -p usr proc tmp old
        for link in lib lib64 bin; do ln -sfn usr/$link $link; done
        mount --bind -o ro /usr usr
        mount -t proc proc proc
        pivot_root . old
        umount -l old
        exec /app/MonitorDeadlock
        """;

    [Theory]
    [InlineData(TargetFramework.Net9)]
    [InlineData(TargetFramework.Net8)]
    public async Task It_is_read_where_its_own_runtime_is_named_and_else_one_line_says_so(TargetFramework framework)
    {
        Linux.Need();
        using TemporaryFolder root = new();
        Copy(FolderOf(framework), root["app"]);
        using Process outside = Process.Start(new ProcessStartInfo("unshare", ["--mount", "--pid", "--fork", "--kill-child", "bash", "-c", Enter, "bash", root.Folder])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        try
        {
            await AwaitReadyAsync(outside);
            string id = (await File.ReadAllTextAsync($"/proc/{outside.Id}/task/{outside.Id}/children", TestContext.Current.CancellationToken)).Trim();

            ToolRun unnamed = Tool.Run("attach", id, "--samples", "1", "--pause", "2s");
            ToolRun named = Tool.Run("attach", id, "--samples", "2", "--interval", "300ms", "--pause", "2s", "--dac", $"/proc/{id}/root/app", "--format", "json");

            Assert.Equal((2, string.Empty), (unnamed.ExitCode, unnamed.Error));
            Assert.Contains($"if you trust them, add --dac /proc/{id}/root/app", string.Join(' ', unnamed.Out.Split([' ', '\n'], StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
            Assert.Equal((1, string.Empty), (named.ExitCode, named.Error));
            Assert.Contains("MonitorDeadlock.Inventory", named.Out, StringComparison.Ordinal);
        }
        finally
        {
            outside.Kill();
        }
    }

    private static async Task AwaitReadyAsync(Process program)
    {
        while (await program.StandardOutput.ReadLineAsync(TestContext.Current.CancellationToken) is { } line)
        {
            if (line.StartsWith("READY", StringComparison.Ordinal))
            {
                return;
            }
        }

        string error = await program.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        if (error.Contains("unshare failed: Operation not permitted", StringComparison.Ordinal))
        {
            Skip.OnThisMachine("this user may not make namespaces");
        }

        Assert.Fail(string.Create(CultureInfo.InvariantCulture, $"the program ended with {program.ExitCode}: {error}"));
    }

    private static string FolderOf(TargetFramework framework)
        => framework == TargetFramework.Net9
            ? OwnRuntime.Find()
            : Path.GetDirectoryName(DotNetPrograms.Find(OwnRuntime.Program, framework))!;

    // In one of the folders other programs lie beside it.
    private static bool IsOfProgram(string file)
        => file.EndsWith(".so", StringComparison.Ordinal)
            || new[] { OwnRuntime.Program, "System", "Microsoft", "mscorlib", "netstandard" }
                .Any(start => Path.GetFileName(file).StartsWith(start, StringComparison.Ordinal));

    private static void Copy(string from, string to)
    {
        Directory.CreateDirectory(to);
        foreach (string file in Directory.EnumerateFiles(from).Where(IsOfProgram))
        {
            File.Copy(file, Path.Combine(to, Path.GetFileName(file)));
        }
    }
}
