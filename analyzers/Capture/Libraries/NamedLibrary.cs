namespace HangTriage.Capture.Libraries;

/// <summary>What the user names to be loaded: a library, or the folder of a runtime that has it.</summary>
public static class NamedLibrary
{
    /// <summary>What the library is called on the systems that have one.</summary>
    public static IReadOnlyList<string> FileNames { get; } = ["libmscordaccore.so", "mscordaccore.dll"];

    /// <summary>Null where nothing of that build is named, or everybody can change it.</summary>
    /// <param name="named">Files and folders.</param>
    /// <param name="need">What is needed.</param>
    /// <param name="refused">One that is of that build and is not loaded; null for none.</param>
    internal static string? Find(IEnumerable<string> named, LibraryNeed need, out RefusedLibrary? refused)
    {
        refused = null;
        foreach (string file in named.SelectMany(name => Files(name, need)))
        {
            if (Ordinary(file) is null || !need.FitsTo(file, Ordinary))
            {
                continue;
            }

            if (WhyNot(file) is not { } why)
            {
                return file;
            }

            refused ??= new RefusedLibrary(file, why) { CanBeNamed = false };
        }

        return null;
    }

    /// <summary>Why a file is not loaded whoever names it: what everybody can change is nobody's word.</summary>
    internal static string? WhyNot(string file)
    {
        string? open = !OperatingSystem.IsLinux() ? null
            : FileStatus.AtEndOf(file)?.EverybodyCanWrite != false ? file
            : Path.GetDirectoryName(file) is { } folder && FileStatus.AtEndOf(folder)?.EverybodyCanWrite != false ? folder
            : null;
        return open is null ? null : $"everybody can write to {ShellWord.Of(open)}";
    }

    private static IEnumerable<string> Files(string name, LibraryNeed need)
        => Directory.Exists(name)
            ? need.FileNames.Concat(FileNames).Distinct(StringComparer.OrdinalIgnoreCase).Select(file => Path.GetFullPath(Path.Join(name, file)))
            : [Path.GetFullPath(name)];

    private static string? Ordinary(string path)
        => (OperatingSystem.IsLinux() ? FileStatus.AtEndOf(path)?.IsFile == true : File.Exists(path)) ? path : null;
}
