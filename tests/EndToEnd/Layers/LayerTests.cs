using HangTriage.Tests.Support;

namespace HangTriage.Tests.EndToEnd.Layers;

/// <summary>Folders are layers: among the folders of a project there is no circle.</summary>
public sealed class LayerTests
{
    /// <summary>Projects that still have a circle, each with the reason. One that has none any more must go from here.</summary>
    private static readonly Dictionary<string, string> s_exceptions = [];

    /// <summary>Projects whose records share one namespace, whatever their folder, so that who reads facts names one; what else is in them has its own.</summary>
    private static readonly string[] s_oneNamespace = ["analyzers/Facts"];

    public static TheoryData<string> Projects => [.. Project.All.Select(project => project.Folder)];

    [Theory]
    [MemberData(nameof(Projects))]
    public void Folders_of_a_project_have_no_circle(string folder)
    {
        Project project = Project.All.Single(project => project.Folder == folder);

        string circles = new FolderCircles(AssemblyFolders.Uses(project.AssemblyPath, project.Sources)).Describe();

        if (s_exceptions.ContainsKey(folder))
        {
            Assert.True(circles.Length > 0, $"{folder} has no circle any more: take it out of the exceptions");
        }
        else
        {
            Assert.True(circles.Length == 0, $"{folder}:{Environment.NewLine}{circles}");
        }
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void A_namespace_is_a_folder(string folder)
    {
        Project project = Project.All.Single(project => project.Folder == folder);
        ILookup<string, string> namespaces = project.Sources.Namespaces;

        Assert.NotEmpty(namespaces);
        if (s_oneNamespace.Contains(folder))
        {
            Assert.All(
                namespaces.Where(space => space.Key != project.RootNamespace),
                space => Assert.Equal([Folder(space.Key, project.RootNamespace)], space));
        }
        else
        {
            Assert.All(
                namespaces.Where(space => space.Key.StartsWith("HangTriage", StringComparison.Ordinal)),
                space => Assert.Equal([Folder(space.Key, project.RootNamespace)], space));
        }
    }

    /// <summary>The uses of a type whose file is not found would not count.</summary>
    [Theory]
    [MemberData(nameof(Projects))]
    public void Every_type_has_its_file(string folder)
    {
        Project project = Project.All.Single(project => project.Folder == folder);

        Assert.Empty(AssemblyFolders.WithoutFile(project.AssemblyPath, project.Sources, project.RootNamespace));
    }

    [Fact]
    public void A_circle_through_method_bodies_alone_is_found_and_named()
    {
        SourceFolders sources = new(Path.Combine(Repository.Root, "tests", "EndToEnd", "Layers", "Example"));
        IReadOnlyList<FolderUse> uses = AssemblyFolders.Uses(typeof(LayerTests).Assembly.Location, sources);

        string circles = new FolderCircles(uses).Describe();

        Assert.StartsWith($"circle of 2 folders: Lower, Upper{Environment.NewLine}", circles, StringComparison.Ordinal);
        Assert.Contains("Lower (Cellar uses Attic) -> Upper (Attic uses Cellar) -> Lower", circles, StringComparison.Ordinal);
        Assert.Contains(uses, use => use is { From: SourceFolders.Top, To: "Upper" });
    }

    private static string Folder(string space, string root)
        => space == root ? SourceFolders.Top : space[(root.Length + 1)..].Replace('.', '/');
}
