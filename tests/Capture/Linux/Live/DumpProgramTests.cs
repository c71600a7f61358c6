using System.Runtime.Versioning;
using HangTriage.Capture.Libraries;
using HangTriage.Capture.Linux.Live;
using HangTriage.Tests.Capture.Libraries;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Capture.Linux.Live;

/// <summary>Whose createdump is started: it and what it loads are code.</summary>
[SupportedOSPlatform("linux")]
public sealed class DumpProgramTests : IDisposable
{
    private const UnixFileMode Own = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    private readonly OwnFolder? _folder;

    public DumpProgramTests()
    {
        if (!OperatingSystem.IsLinux())
        {
            Skip.Because("createdump is a program of Linux");
        }

        _folder = new OwnFolder();
    }

    public void Dispose() => _folder?.Dispose();

    [Fact]
    public void That_of_an_installed_runtime_is_started()
    {
        string runtime = Runtime("dotnet");

        Assert.Equal(_folder!["dotnet/createdump"], DumpProgram.Find([runtime], 7, null, new RuntimePlaces([], [_folder["dotnet"]]), out string why));
        Assert.Empty(why);
    }

    [Theory]
    [InlineData("dotnet")]
    [InlineData("dotnet/createdump")]
    [InlineData("dotnet/libmscordaccore.so")]
    public void That_of_an_installed_runtime_that_others_can_change_is_not(string open)
    {
        string runtime = Runtime("dotnet");
        File.SetUnixFileMode(_folder![open], Own | UnixFileMode.GroupWrite);

        Assert.Null(DumpProgram.Find([runtime], 7, null, new RuntimePlaces([], [_folder["dotnet"]]), out string why));
        Assert.Equal($"no dump is written: others can write to {_folder[open]}", why);
    }

    [Fact]
    public void That_of_a_folder_which_only_the_process_names_is_not_unless_the_user_names_it_too()
    {
        string runtime = Runtime("app");
        RuntimePlaces none = new([], []);

        Assert.Null(DumpProgram.Find([runtime], 7, null, none, out string why));
        Assert.EndsWith($"if you trust it, add --dac {_folder!["app"]}", why, StringComparison.Ordinal);
        Assert.Null(DumpProgram.Find([runtime], 7, _folder["other"], none, out _));
        Assert.Equal(_folder["app/createdump"], DumpProgram.Find([runtime], 7, _folder["app/"], none, out _));

        File.SetUnixFileMode(_folder["app/libmscordaccore.so"], Own | UnixFileMode.OtherWrite);
        Assert.Null(DumpProgram.Find([runtime], 7, _folder["app"], none, out why));
        Assert.Contains("everybody can write to", why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_process_with_no_runtime_or_with_two_gets_none()
    {
        string runtime = Runtime("dotnet");
        RuntimePlaces installed = new([], [_folder!["dotnet"]]);

        Assert.Null(DumpProgram.Find([], 7, null, installed, out string why));
        Assert.Contains("'gcore 7'", why, StringComparison.Ordinal);
        Assert.Null(DumpProgram.Find([runtime, Runtime("other")], 7, null, installed, out why));
        Assert.Contains("several .NET runtimes", why, StringComparison.Ordinal);
    }

    [Fact]
    public void A_runtime_without_the_program_is_said_to_have_none()
    {
        string runtime = Runtime("dotnet");
        File.Delete(_folder!["dotnet/createdump"]);

        Assert.Null(DumpProgram.Find([runtime], 7, null, new RuntimePlaces([], [_folder["dotnet"]]), out string why));
        Assert.Equal($"no dump is written: there is no {_folder["dotnet/createdump"]}", why);
    }

    private string Runtime(string name)
    {
        Directory.CreateDirectory(_folder![name]);
        foreach (string file in new[] { "createdump", "libmscordaccore.so", "libcoreclr.so" })
        {
            File.WriteAllText(_folder[$"{name}/{file}"], string.Empty);
            File.SetUnixFileMode(_folder[$"{name}/{file}"], Own);
        }

        return _folder[$"{name}/libcoreclr.so"];
    }
}
