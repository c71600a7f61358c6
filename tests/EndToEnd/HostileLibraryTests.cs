using System.IO.Compression;
using System.Runtime.Versioning;
using System.Text;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;
using HangTriage.Tests.Support.Dumps;
using Microsoft.Diagnostics.NETCore.Client;

namespace HangTriage.Tests.EndToEnd;

/// <summary>
/// A core names the folder of its runtime and its build, and whoever makes a core makes both: here a build that is installed
/// nowhere, with a libcoreclr.so of that build beside a library that writes a file when it is loaded. It must never be loaded
/// unless the user names it.
/// </summary>
[UnsupportedOSPlatform("windows")]
public sealed class HostileLibraryTests : IDisposable
{
    private const UnixFileMode ForOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
    private const string Library = "libmscordaccore.so";
    private const string Runtime = "libcoreclr.so";
    private const string Gone = "/gone";

    private static readonly Lazy<byte[]> s_id = new(BuildId);

    private static readonly string s_installed = Path.GetDirectoryName(typeof(object).Assembly.Location)!;

    private readonly TemporaryFolder _folder = new();
    private bool _isPacked;

    private string Marker => _folder["loaded"];

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task The_folder_that_the_core_names()
    {
        string folder = await HostileFolderAsync("own");
        AssertNotLoaded(await RunAsync(recorded: folder), add: folder);
    }

    [Fact]
    public async Task A_link_to_the_folder()
    {
        string folder = await HostileFolderAsync("own");
        Directory.CreateSymbolicLink(_folder["link"], folder);
        AssertNotLoaded(await RunAsync(recorded: _folder["link"]), add: folder);
    }

    [Fact]
    public async Task A_path_through_the_current_folder_of_whoever_reads()
    {
        await HostileFolderAsync("own");
        AssertNotLoaded(await RunAsync(recorded: "/proc/self/cwd/own"), add: "FOLDER");
    }

    [Fact]
    public async Task A_link_to_the_current_folder_of_whoever_reads()
    {
        await HostileFolderAsync("own");
        File.CreateSymbolicLink(_folder["link"], "/proc/self/cwd/own");
        AssertNotLoaded(await RunAsync(recorded: _folder["link"]), add: "FOLDER");
    }

    [Fact]
    public async Task A_folder_of_a_group()
    {
        string folder = await HostileFolderAsync("own");
        File.SetUnixFileMode(folder, ForOwner | UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute);
        AssertNotLoaded(await RunAsync(recorded: folder), add: folder);
    }

    [Fact]
    public async Task A_folder_in_one_that_everybody_can_write_to()
    {
        string folder = await HostileFolderAsync(Path.Combine("open", "own"));
        File.SetUnixFileMode(_folder["open"], ForOwner | UnixFileMode.OtherRead | UnixFileMode.OtherWrite | UnixFileMode.OtherExecute);
        AssertNotLoaded(await RunAsync(recorded: folder), add: folder);
    }

    [Fact]
    public async Task A_packed_core()
    {
        string folder = await HostileFolderAsync("own");
        _isPacked = true;
        AssertNotLoaded(await RunAsync(recorded: folder), add: folder);
    }

    [Fact]
    public async Task A_folder_that_is_named_for_data()
    {
        string folder = await HostileFolderAsync("own");
        AssertNotLoaded(await RunAsync(recorded: Gone, options: ["--symbols", folder]), add: folder);
    }

    [Fact]
    public async Task A_tree_as_on_the_machine_of_the_process_in_a_folder_that_is_named_for_data()
    {
        string folder = await HostileFolderAsync("symbols" + Gone);
        AssertNotLoaded(await RunAsync(recorded: Gone, options: ["--symbols", _folder["symbols"]]), add: folder);
    }

    [Fact]
    public async Task A_folder_of_the_environments_symbol_path()
    {
        string folder = await HostileFolderAsync("own");
        AssertNotLoaded(await RunAsync(recorded: Gone, environment: ("_NT_SYMBOL_PATH", folder)), add: folder);
    }

    [Fact]
    public async Task A_pipe_in_place_of_a_file_is_not_waited_for()
    {
        string folder = await HostileFolderAsync("own");
        File.Delete(Path.Combine(folder, Library));
        using System.Diagnostics.Process pipe = System.Diagnostics.Process.Start("mkfifo", [Path.Combine(folder, Library)]);
        await pipe.WaitForExitAsync(TestContext.Current.CancellationToken);
        AssertNotLoaded(await RunAsync(recorded: folder), add: "FOLDER");
    }

    [Fact]
    public async Task What_the_user_names_to_be_loaded_is_loaded_if_its_build_is_the_targets()
    {
        string folder = await HostileFolderAsync("own");

        await RunAsync(recorded: Gone, options: ["--dac", folder]);
        Assert.True(File.Exists(Marker));

        File.Delete(Marker);
        File.Copy(Path.Combine(s_installed, Runtime), Path.Combine(folder, Runtime), overwrite: true);
        AssertNotLoaded(await RunAsync(recorded: Gone, options: ["--dac", folder]), add: "FOLDER");
    }

    [Fact]
    public async Task The_option_that_is_printed_reads_a_self_contained_program()
    {
        SkipElsewhere();
        DumpedProcess process = await CoreDumps.OfSampleAsync("MonitorDeadlock", TargetFramework.Net9, DumpType.WithHeap, TestContext.Current.CancellationToken);

        ToolRun without = Tool.Run("analyze", process.CorePath);
        ToolRun with = Tool.Run("analyze", process.CorePath, "--dac", OptionIn(without));

        Assert.Equal(2, without.ExitCode);
        Assert.Equal(1, with.ExitCode);
        Assert.Contains("HT1001", with.Out, StringComparison.Ordinal);
    }

    private static void SkipElsewhere()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("cores are written on Linux");
        }
    }

    private static byte[] OfUnknownBuild(byte[] file)
    {
        Replace(file, s_id.Value, [.. s_id.Value.Select(unit => (byte)~unit)]);
        return file;
    }

    private static void Replace(byte[] file, byte[] text, byte[] other)
    {
        Assert.Equal(text.Length, other.Length);
        int at = file.AsSpan().IndexOf(text);
        Assert.True(at > 0);
        for (; at >= 0; at = file.AsSpan().IndexOf(text))
        {
            other.CopyTo(file, at);
        }
    }

    /// <summary>The contents of the linker's note: 20 bytes behind the name "GNU", type 3.</summary>
    private static byte[] BuildId()
    {
        byte[] file = File.ReadAllBytes(Path.Combine(s_installed, Runtime));
        byte[] mark = [4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, .. "GNU\0"u8];
        int note = file.AsSpan().IndexOf(mark);
        Assert.True(note > 0);
        return file[(note + 16)..(note + 36)];
    }

    private static string OptionIn(ToolRun run)
    {
        const string advice = "add --dac ";
        string text = string.Join(' ', run.Out.Split((char[])[' ', '\n'], StringSplitOptions.RemoveEmptyEntries));
        return text[(text.IndexOf(advice, StringComparison.Ordinal) + advice.Length)..].Split(' ')[0];
    }

    private void AssertNotLoaded(ToolRun run, string add)
    {
        Assert.False(File.Exists(Marker), run.ToString());
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("the library that reads .NET", run.Out, StringComparison.Ordinal);
        Assert.Contains("build id", run.Out, StringComparison.Ordinal);
        Assert.Equal(add, OptionIn(run));
    }

    private async Task<string> HostileFolderAsync(string name)
    {
        SkipElsewhere();
        string folder = Directory.CreateDirectory(_folder[name]).FullName;
        byte[] runtime = await File.ReadAllBytesAsync(Path.Combine(s_installed, Runtime), TestContext.Current.CancellationToken);
        await File.WriteAllBytesAsync(Path.Combine(folder, Runtime), OfUnknownBuild(runtime), TestContext.Current.CancellationToken);
        CompiledLibrary.Write(Path.Combine(folder, Library), $"FILE *file = fopen(\"{Marker}\", \"w\"); fputs(\"as the user who reads the core\", file); fclose(file);");
        return folder;
    }

    /// <summary>Reads a core whose runtime was in that folder by its own account.</summary>
    private async Task<ToolRun> RunAsync(string recorded, string[]? options = null, params (string Name, string Value)[] environment)
    {
        DumpedProcess process = await CoreDumps.OfSampleAsync("MonitorDeadlock", TargetFramework.Net10, DumpType.Normal, TestContext.Current.CancellationToken);
        byte[] core = OfUnknownBuild(await File.ReadAllBytesAsync(process.CorePath, TestContext.Current.CancellationToken));
        Replace(core, Encoding.UTF8.GetBytes($"{s_installed}/{Runtime}"), Encoding.UTF8.GetBytes($"{recorded.PadRight(s_installed.Length, '/')}/{Runtime}"));
        await using (Stream file = _isPacked ? new GZipStream(File.Create(_folder["core"]), CompressionLevel.Fastest) : File.Create(_folder["core"]))
        {
            await file.WriteAsync(core, TestContext.Current.CancellationToken);
        }

        return Tool.Run(["analyze", "core", .. options ?? []], _folder.Folder, environment);
    }
}
