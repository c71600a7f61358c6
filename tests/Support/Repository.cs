namespace HangTriage.Tests.Support;

/// <summary>Where things lie in the checkout that the tests run from.</summary>
public static class Repository
{
    private static readonly Lazy<string> s_root = new(FindRoot);

    public static string Root => s_root.Value;

    /// <summary>Scratch space that git ignores.</summary>
    public static string Artifacts => Path.Combine(Root, "artifacts");

    public static string Sample(string name, params string[] parts) => Path.Combine([Root, "samples", name, .. parts]);

    /// <summary>The folder of dumps and traces beside the project, or null where it is missing.</summary>
    public static string? SharedData
    {
        get
        {
            string path = Path.GetFullPath(Path.Combine(Root, "..", "shared", "data"));
            return Directory.Exists(path) ? path : null;
        }
    }

    /// <summary>A file of <see cref="SharedData"/>; skips the test where the folder is missing.</summary>
    public static string Shared(params string[] parts)
    {
        string? data = SharedData;
        if (data is null)
        {
            Skip.Because("the folder of real dumps and traces is not beside the project");
        }

        return Path.Combine([data, .. parts]);
    }

    private static string FindRoot()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Extension.sln")))
            {
                return folder.FullName;
            }
        }

        throw new InvalidOperationException($"No Extension.sln above {AppContext.BaseDirectory}.");
    }
}
