using System.Runtime.Versioning;

namespace HangTriage.Capture.Libraries;

/// <summary>
/// Loads what the user names to be loaded, or what belongs to an installed .NET that nobody but root and the user can change;
/// both only in the build that the target needs. Paths that only the target names, and folders that the user names for data,
/// are looked at to say what to add, and no more.
/// </summary>
/// <param name="named">The library or folder that the user names (<c>--dac</c>); null for none.</param>
/// <param name="places">Where .NET is.</param>
[SupportedOSPlatform("linux")]
internal sealed class TrustedLibraries(string? named, RuntimePlaces places) : ILibraryPolicy
{
    private const int SeenLimit = 64;

    // What is in these is no file, or another one for each process that asks.
    private static readonly string[] s_noFiles = ["/proc", "/dev", "/sys"];

    public static TrustedLibraries Of(CaptureContext context) => new(context.Dac, RuntimePlaces.OfThisMachine());

    public string? Choose(LibraryNeed need, out string why)
    {
        why = string.Empty;
        IEnumerable<string> ofUser = [.. named is null ? [] : new[] { named }, .. places.Named];
        if ((NamedLibrary.Find(ofUser, need, out RefusedLibrary? refused) ?? FindInstalled(need, ref refused)) is { } trusted)
        {
            return trusted;
        }

        string needed = $"the library that reads {need.Build} is needed";
        why = (refused ?? FindSeen(need)) is not { } seen
            ? $"{needed}, and {(named is null ? "no installed .NET has it" : "neither what --dac names nor an installed .NET is of that build")}: "
                + $"install that version, or add --dac FOLDER with a folder that has its {need.FileNames[0]} and {need.RuntimeName}"
            : $"{needed}; one is here, but {seen.Why}: {(seen.CanBeNamed ? "if you trust its folder" : "take that permission away, and if you trust the folder")}, "
                + $"add --dac {ShellWord.Of(Path.GetDirectoryName(seen.File)!)}";
        return null;
    }

    private string? FindInstalled(LibraryNeed need, ref RefusedLibrary? refused)
    {
        foreach (string file in InFolders(places.Installed, need))
        {
            // What is loaded is what was looked at: the path holds no link any more, and nobody else can change it.
            string? real = OwnPath.ToFile(file, out string? whyNot);
            if (real is not null && need.FitsTo(real, path => OwnPath.ToFile(path, out _)))
            {
                return real;
            }

            refused ??= whyNot is null ? null : Refused(file, need, whyNot);
        }

        return null;
    }

    private static RefusedLibrary? FindSeen(LibraryNeed need)
        => InFolders(need.Seen, need).Take(SeenLimit).Select(file => Refused(file, need, "its folder was not named to load code from")).FirstOrDefault(found => found is not null);

    private static RefusedLibrary? Refused(string file, LibraryNeed need, string why)
        => AnyFile(file) is not { } real || !need.FitsTo(real, AnyFile) ? null
            : NamedLibrary.WhyNot(real) is { } whyNever ? new RefusedLibrary(real, whyNever) { CanBeNamed = false }
            : new RefusedLibrary(real, why);

    private static IEnumerable<string> InFolders(IEnumerable<string> folders, LibraryNeed need)
        => folders.Distinct(StringComparer.Ordinal).SelectMany(folder => need.FileNames.Select(name => Path.Join(folder, name)));

    private static string? AnyFile(string path)
        => PathWalk.ToFile(path, (step, _) => s_noFiles.Contains(step) ? "it is no file of this machine" : null, out _);
}
