using System.Diagnostics;
using System.Runtime.Versioning;
using HangTriage.Capture.Libraries;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Capture.Libraries;

/// <summary>Which library is loaded, by who names it and who can change it.</summary>
[SupportedOSPlatform("linux")]
public sealed class TrustedLibrariesTests : IDisposable
{
    private const string Library = "libreader.so";
    private const string Runtime = "libruntime.so";
    private const string Wanted = "the build of the target";
    private const UnixFileMode Own = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    private readonly OwnFolder? _folder;

    public TrustedLibrariesTests()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("the rule is about owners and permissions of Linux");
        }

        _folder = new OwnFolder();
    }

    public void Dispose() => _folder?.Dispose();

    [Fact]
    public void An_installed_one_of_the_right_build_is_loaded_by_its_own_path()
    {
        string file = Installed("dotnet");
        Directory.CreateSymbolicLink(_folder!["link"], _folder["dotnet"]);

        Assert.Equal(file, Choose(installed: _folder["dotnet"], out _));
        Assert.Equal(file, Choose(installed: _folder["link"], out _));
        Assert.Equal(file, Choose(installed: _folder["link/../dotnet/."], out _));
    }

    [Fact]
    public void One_of_another_build_is_not()
    {
        Installed("dotnet", build: "another");

        Assert.Null(Choose(installed: _folder!["dotnet"], out string why));
        Assert.Contains("no installed .NET has it", why, StringComparison.Ordinal);
        Assert.Null(new TrustedLibraries(_folder["dotnet"], new RuntimePlaces([], [])).Choose(Need(), out why));
        Assert.Contains("neither what --dac names", why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_library_that_the_runtime_itself_names_needs_no_runtime_beside_it()
    {
        Directory.CreateDirectory(_folder!["lone"]);
        File.WriteAllText(_folder["lone/other-name.so"], Wanted);

        LibraryNeed need = Need() with { IsLibrary = file => File.ReadAllText(file) == Wanted };
        Assert.Equal(_folder["lone/other-name.so"], new TrustedLibraries(_folder["lone/other-name.so"], new RuntimePlaces([], [])).Choose(need, out _));
    }

    [Theory]
    [InlineData("dotnet/shared", UnixFileMode.GroupWrite)]
    [InlineData("dotnet/shared", UnixFileMode.OtherWrite)]
    [InlineData("dotnet/shared", UnixFileMode.OtherWrite | UnixFileMode.StickyBit)]
    [InlineData("dotnet", UnixFileMode.GroupWrite)]
    [InlineData("", UnixFileMode.OtherWrite)]
    [InlineData("dotnet/shared/" + Library, UnixFileMode.GroupWrite)]
    public void An_installed_one_that_others_can_change_is_not(string open, UnixFileMode mode)
    {
        Installed("dotnet/shared");
        File.SetUnixFileMode(_folder![open], Own | mode);

        Assert.Null(Choose(installed: _folder["dotnet/shared"], out string why));
        Assert.Contains(mode.HasFlag(UnixFileMode.OtherWrite) && open == "dotnet/shared" ? "everybody can write to" : "others can write to", why, StringComparison.Ordinal);
        Assert.EndsWith($"add --dac {_folder["dotnet/shared"]}", why, StringComparison.Ordinal);
    }

    [Fact]
    public void An_installed_one_behind_a_link_in_a_folder_that_others_can_write_to_is_not()
    {
        Installed("dotnet");
        Directory.CreateDirectory(_folder!["open"]);
        Directory.CreateSymbolicLink(_folder["open/link"], _folder["dotnet"]);
        Directory.CreateSymbolicLink(_folder["link"], "open/link");
        File.SetUnixFileMode(_folder["open"], Own | UnixFileMode.GroupWrite);

        Assert.Null(Choose(installed: _folder["link"], out string why));
        Assert.Contains($"others can write to {_folder["open"]}", why, StringComparison.Ordinal);
    }

    [Fact]
    public void An_installed_one_of_another_user_is_not()
    {
        if (!Environment.IsPrivilegedProcess)
        {
            Skip.OnThisMachine("only root can give a file away");
        }

        string file = Installed("dotnet");
        using Process change = Process.Start("chown", ["65534", file]);
        change.WaitForExit();

        Assert.Null(Choose(installed: _folder!["dotnet"], out string why));
        Assert.Contains("belongs to another user", why, StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_user_names_is_loaded_unless_everybody_can_change_it()
    {
        string file = Installed("named");
        TrustedLibraries named = new(_folder!["named"], new RuntimePlaces([], []));
        TrustedLibraries environment = new(null, new RuntimePlaces([_folder["named"]], []));

        File.SetUnixFileMode(_folder["named"], Own | UnixFileMode.GroupWrite);
        Assert.Equal(file, named.Choose(Need(), out _));
        Assert.Equal(file, environment.Choose(Need(), out _));

        File.SetUnixFileMode(_folder["named"], Own | UnixFileMode.OtherWrite);
        Assert.Null(named.Choose(Need(), out string why));
        Assert.Contains($"everybody can write to {_folder["named"]}", why, StringComparison.Ordinal);
        Assert.Null(environment.Choose(Need(), out _));
    }

    [Fact]
    public void What_was_only_seen_is_never_loaded_and_is_named_ready_to_paste()
    {
        Installed("it's seen");
        TrustedLibraries none = new(null, new RuntimePlaces([], []));

        Assert.Null(none.Choose(Need() with { Seen = [_folder!["it's seen"]] }, out string why));
        Assert.EndsWith($"add --dac $'{_folder["it\\047s\\040seen"]}'", why, StringComparison.Ordinal);

        using Process shell = Process.Start(new ProcessStartInfo("bash", ["-c", "printf %s " + why[(why.IndexOf("--dac", StringComparison.Ordinal) + 6)..]]) { RedirectStandardOutput = true })!;
        Assert.Equal(_folder["it's seen"], shell.StandardOutput.ReadToEnd());
    }

    private static LibraryNeed Need() => new()
    {
        FileNames = [Library],
        RuntimeName = Runtime,
        Build = ".NET 1.2.3 with build id abc",
        IsLibrary = _ => false,
        IsRuntime = file => File.ReadAllText(file) == Wanted,
    };

    private static string? Choose(string installed, out string why) => new TrustedLibraries(null, new RuntimePlaces([], [installed])).Choose(Need(), out why);

    private string Installed(string name, string build = Wanted)
    {
        string folder = Directory.CreateDirectory(_folder![name]).FullName;
        File.WriteAllText(Path.Combine(folder, Runtime), build);
        File.WriteAllText(Path.Combine(folder, Library), "code");
        return Path.Combine(folder, Library);
    }
}
