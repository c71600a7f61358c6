using System.Xml.Linq;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Cli;

namespace HangTriage.Tests.EndToEnd;

/// <summary>install and uninstall, in a tool folder and a user's folder of the test's own.</summary>
public sealed class InstallTests : IDisposable
{
    private const string Library = "HangTriage.DotnetDump.dll";

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void The_tool_carries_the_extension_and_says_how_the_host_finds_it()
    {
        ToolRun run = Tool.Run(["install", "dotnet-dump"], folder: null, ("HOME", _folder["home"]), ("XDG_DATA_HOME", _folder["home"]), ("LOCALAPPDATA", _folder["home"]));

        Assert.True(run.ExitCode == 0, run.ToString());
        string[] variables = [.. run.Out.Split('\n').Where(line => line.Contains("DOTNET_DIAGNOSTIC_EXTENSIONS=", StringComparison.Ordinal)).Select(line => line.Split('=')[1])];
        Assert.Equal(2, variables.Length);
        Assert.All(variables, library => Assert.True(File.Exists(library), library));
        Assert.All(variables, library => Assert.True(File.Exists(Path.Combine(Path.GetDirectoryName(library)!, "HangTriage.Capture.dll"))));
    }

    [Fact]
    public void What_was_put_is_taken_away_and_nothing_else()
    {
        Ship("dotnet-dump/9", Library, "Part.dll");
        Ship("dotnet-dump/10", Library, "Part.dll");
        string own = Path.Combine(UserFolder("dotnet-dump", "10"), "own.txt");

        Assert.Equal(0, Run("install", "dotnet-dump").ExitCode);
        File.WriteAllText(own, "the user's");
        ToolRun first = Run("uninstall", "dotnet-dump");
        ToolRun second = Run("uninstall", "dotnet-dump");

        Assert.StartsWith("4 files taken away\n", first.Out, StringComparison.Ordinal);
        Assert.Equal("nothing was installed\n", second.Out);
        Assert.Equal([own], Directory.GetFiles(_folder["user"], "*", SearchOption.AllDirectories));
        Assert.False(Directory.Exists(UserFolder("dotnet-dump", "9")));
    }

    [Fact]
    public void A_second_install_replaces_its_own_files_and_drops_those_that_are_gone()
    {
        Ship("dotnet-dump/9", Library);
        Ship("dotnet-dump/10", Library, "Old.dll");
        Run("install", "dotnet-dump");
        File.Delete(Shipped("dotnet-dump/10", "Old.dll"));
        File.WriteAllText(Shipped("dotnet-dump/10", Library), "newer");

        ToolRun run = Run("install", "dotnet-dump");

        Assert.Equal(0, run.ExitCode);
        Assert.Equal("newer", File.ReadAllText(Path.Combine(UserFolder("dotnet-dump", "10"), Library)));
        Assert.False(File.Exists(Path.Combine(UserFolder("dotnet-dump", "10"), "Old.dll")));
    }

    [Fact]
    public void A_file_that_was_not_put_there_is_not_overwritten()
    {
        Ship("dotnet-dump/9", Library);
        Ship("dotnet-dump/10", Library, "Part.dll");
        string foreign = Path.Combine(Directory.CreateDirectory(UserFolder("dotnet-dump", "10")).FullName, "Part.dll");
        File.WriteAllText(foreign, "the user's");

        ToolRun run = Run("install", "dotnet-dump");

        Assert.Equal(73, run.ExitCode);
        Assert.Contains("was not put there by triage install", run.Error, StringComparison.Ordinal);
        Assert.Equal([foreign], Directory.GetFiles(UserFolder("dotnet-dump", "10")));
        Assert.Equal("the user's", File.ReadAllText(foreign));
    }

    [Fact]
    public void A_list_that_names_files_elsewhere_harms_none()
    {
        Ship("dotnet-dump/9", Library);
        Ship("dotnet-dump/10", Library);
        Run("install", "dotnet-dump");
        File.WriteAllText(_folder["outside.txt"], "the user's");
        File.AppendAllText(Path.Combine(UserFolder("dotnet-dump", "10"), "HangTriage.installed.txt"), $"../../../../outside.txt\n{_folder["outside.txt"]}\n");

        Run("uninstall", "dotnet-dump");

        Assert.True(File.Exists(_folder["outside.txt"]));
    }

    [Fact]
    public void Into_the_extensions_of_a_host_goes_the_build_for_its_version()
    {
        Ship("dotnet-dump/9", Library);
        Ship("dotnet-dump/10", Library);
        File.WriteAllText(Shipped("dotnet-dump/10", Library), "for 10");
        string host = Directory.CreateDirectory(_folder["host"]).FullName;
        string contract = Path.Combine(
            Repository.Artifacts, "bin", "HangTriage.DotnetDump.Contract.Host10", Path.GetFileName(Path.TrimEndingDirectorySeparator(AppContext.BaseDirectory)));
        File.Copy(Path.Combine(contract, "Microsoft.Diagnostics.DebugServices.dll"), Path.Combine(host, "Microsoft.Diagnostics.DebugServices.dll"));

        ToolRun run = Run("install", "dotnet-dump", "--into", host);

        Assert.True(run.ExitCode == 0, run.ToString());
        Assert.Equal("for 10", File.ReadAllText(Path.Combine(host, "extensions", Library)));
        Assert.Equal(0, Run("uninstall", "dotnet-dump", "--into", Path.Combine(host, "extensions")).ExitCode);
        Assert.False(Directory.Exists(Path.Combine(host, "extensions")));
    }

    [Fact]
    public void The_package_for_WinDbg_is_laid_out_as_its_manifest_says()
    {
        Ship("windbg", "triage.dll", "HangTriage.DbgEng.dll");

        ToolRun run = Run("install", "windbg", "--into", _folder["UserExtensions"]);

        Assert.True(run.ExitCode == 0, run.ToString());
        XElement package = XDocument.Load(Path.Combine(_folder["UserExtensions"], "HangTriage", "GalleryManifest.xml")).Root!.Element("ExtensionPackage")!;
        string version = Path.Combine(_folder["UserExtensions"], package.Element("Name")!.Value, package.Element("Version")!.Value);
        Assert.True(File.Exists(Path.Combine(version, package.Descendants("File").Single().Attribute("Module")!.Value.Replace('\\', Path.DirectorySeparatorChar))));
        Assert.True(File.Exists(Path.Combine(version, "amd64", "HangTriage.DbgEng.dll")));
        Assert.Equal(0, Run("uninstall", "windbg", "--into", _folder["UserExtensions"]).ExitCode);
        Assert.Empty(Directory.GetFileSystemEntries(_folder["UserExtensions"]));
    }

    [Fact]
    public void Without_the_native_library_one_line_says_so()
    {
        Ship("windbg", "HangTriage.DbgEng.dll");

        ToolRun run = Run("install", "windbg", "--into", _folder["UserExtensions"]);

        Assert.Equal(65, run.ExitCode);
        Assert.EndsWith("this tool came without this library of the extension for WinDbg; build it from extension/DbgEng/native\n", run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_folder["UserExtensions"]));
    }

    [Theory]
    [InlineData("There is no extension for 'gdb'; there are those for windbg and dotnet-dump. See 'triage install --help'.", "install", "gdb")]
    [InlineData("neither it nor the folder above holds Microsoft.Diagnostics.DebugServices.dll, so it is not of dotnet-dump or SOS.", "install", "dotnet-dump", "--into", "/")]
    public void What_cannot_be_carried_out_is_refused(string message, params string[] arguments)
    {
        ToolRun run = Run(arguments);

        Assert.Equal(64, run.ExitCode);
        Assert.EndsWith(message + "\n", run.Error, StringComparison.Ordinal);
    }

    private ToolRun Run(params string[] arguments)
        => new InProcess { ToolFolder = _folder["tool"], UserData = _folder["user"] }.Run(arguments);

    private void Ship(string extension, params string[] files)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Shipped(extension, "x"))!);
        foreach (string file in files)
        {
            File.WriteAllText(Shipped(extension, file), file);
        }
    }

    private string Shipped(string extension, string file) => Path.Combine(_folder["tool"], "extensions", extension, file);

    private string UserFolder(params string[] parts) => Path.Combine([_folder["user"], "HangTriage", .. parts]);
}
