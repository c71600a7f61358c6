using HangTriage.Capture.Libraries;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Capture.Libraries;

/// <summary>Where .NET is looked for.</summary>
public sealed class RuntimePlacesTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Versions_of_installed_roots_and_of_those_that_a_file_names_are_places()
    {
        string[] folders = [Version("first", "8.0.1"), Version("first", "9.0.2"), Version("second", "10.0.3"), Version("third", "11.0.4")];
        _folder.Write("install_location", _folder["second"] + "\n");
        _folder.Write("install_location_x64", $"x64={_folder["third"]}\n\n");

        RuntimePlaces places = RuntimePlaces.Of(null, null, [_folder["first"], _folder["nowhere"]], _folder.Folder);

        Assert.Equal(folders, places.Installed);
        Assert.Empty(places.Named);
    }

    [Fact]
    public void The_environments_root_is_named_by_the_user()
    {
        string folder = Version("root", "10.0.3");

        RuntimePlaces places = RuntimePlaces.Of(_folder["root"], null, [], _folder["nowhere"]);

        Assert.Equal([folder], places.Named);
        Assert.Empty(places.Installed);
    }

    [Fact]
    public void The_runtime_that_runs_us_counts_with_its_versions()
    {
        string[] folders = [Version("root", "8.0.1"), Version("root", "10.0.3")];

        Assert.Equal([folders[1], .. folders.Order(StringComparer.Ordinal)], RuntimePlaces.Of(null, folders[1], [], _folder["nowhere"]).Installed);
    }

    [Fact]
    public void What_lies_beside_a_self_contained_tool_is_no_installed_runtime()
    {
        string tool = Directory.CreateDirectory(_folder["tool"]).FullName;
        Directory.CreateDirectory(_folder["unpacked"]);

        Assert.Equal([tool], RuntimePlaces.Of(null, tool, [], _folder["nowhere"]).Installed);
    }

    private string Version(string root, string version)
        => Directory.CreateDirectory(Path.Combine(_folder[root], "shared", "Microsoft.NETCore.App", version)).FullName;
}
