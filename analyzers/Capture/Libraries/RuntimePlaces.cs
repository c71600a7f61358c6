namespace HangTriage.Capture.Libraries;

/// <summary>Folders of this machine that may have a runtime of .NET for Linux.</summary>
/// <param name="Named">Of the .NET that the environment names (DOTNET_ROOT).</param>
/// <param name="Installed">Of the .NET that runs us, and of those that are installed where packages put them.</param>
internal sealed record RuntimePlaces(IReadOnlyList<string> Named, IReadOnlyList<string> Installed)
{
    private const string Locations = "/etc/dotnet";
    private const int FolderLimit = 256;
    private const int LocationLimit = 4_096;

    private static readonly string s_framework = Path.Join("shared", "Microsoft.NETCore.App");
    private static readonly string[] s_roots = ["/usr/share/dotnet", "/usr/lib/dotnet", "/usr/lib64/dotnet"];

    public static RuntimePlaces OfThisMachine()
        => Of(Environment.GetEnvironmentVariable("DOTNET_ROOT"), Path.GetDirectoryName(typeof(object).Assembly.Location), s_roots, Locations);

    /// <param name="named">The root of the .NET that the user names; null or empty for none.</param>
    /// <param name="running">The folder of the runtime that runs us; null or empty where it is not known.</param>
    /// <param name="roots">Where packages put .NET.</param>
    /// <param name="locations">The folder of the files that name further roots (install_location, install_location_x64).</param>
    public static RuntimePlaces Of(string? named, string? running, IReadOnlyList<string> roots, string locations)
        => new(
            Versions(named is { Length: > 0 } ? Path.Join(named, s_framework) : null),
            [
                .. new[] { running }.OfType<string>().Where(Path.IsPathFullyQualified),
                .. Versions(Beside(running)),
                .. roots.Concat(Recorded(locations)).SelectMany(root => Versions(Path.Join(root, s_framework))),
            ]);

    // A program that brings its runtime has it in its own folder; what lies beside that is no installed .NET.
    private static string? Beside(string? running)
        => Path.GetDirectoryName(running) is { } parent && parent.EndsWith(Path.DirectorySeparatorChar + s_framework, StringComparison.Ordinal) ? parent : null;

    private static IEnumerable<string> Recorded(string locations)
        => Listed(() => Directory.EnumerateFiles(locations, "install_location*")).SelectMany(Roots);

    // One root, or, as .NET before 6 wrote it, one a line with the architecture in front.
    private static IEnumerable<string> Roots(string file)
        => Listed(() => new FileInfo(file).Length <= LocationLimit ? File.ReadLines(file) : []).Select(line => line[(line.IndexOf('=') + 1)..].Trim());

    private static IReadOnlyList<string> Versions(string? framework)
        => Path.IsPathFullyQualified(framework ?? string.Empty) ? Listed(() => Directory.EnumerateDirectories(framework!)) : [];

    private static IReadOnlyList<string> Listed(Func<IEnumerable<string>> list)
    {
        try
        {
            return [.. list().Take(FolderLimit).Order(StringComparer.Ordinal)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }
}
