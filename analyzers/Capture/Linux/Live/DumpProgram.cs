using System.Runtime.Versioning;
using HangTriage.Capture.Libraries;

namespace HangTriage.Capture.Linux.Live;

/// <summary>
/// Finds the program that writes a dump of a .NET process from outside: createdump, which each runtime of .NET brings. It is
/// code, and loads the library beside the target's runtime, so it has to be as trustworthy as that library.
/// </summary>
[SupportedOSPlatform("linux")]
public static class DumpProgram
{
    private const string FileName = "createdump";
    private const string RuntimeName = "libcoreclr.so";
    private const int MapLimit = 65_536;

    // What the program itself loads lies beside it (createdump's CrashInfo::InitializeDAC takes the folder of the target's runtime).
    private static readonly string[] s_files = [FileName, "libmscordaccore.so", RuntimeName];

    /// <summary>The program; null where there is none that may be started.</summary>
    /// <param name="process">The process that is to be dumped.</param>
    /// <param name="named">The library or folder that the user names to be loaded (<c>--dac</c>); null for none.</param>
    /// <param name="why">One line that says why there is none, and what to do; empty where there is one.</param>
    public static string? Find(int process, string? named, out string why)
        => Find(RuntimesOf(process), process, named is null || Directory.Exists(named) ? named : Path.GetDirectoryName(named), RuntimePlaces.OfThisMachine(), out why);

    /// <param name="runtimes">The runtimes' files that the process has mapped.</param>
    /// <param name="process">Its id.</param>
    /// <param name="named">The folder that the user names.</param>
    /// <param name="places">Where .NET is.</param>
    /// <param name="why">As above.</param>
    internal static string? Find(IReadOnlyList<string> runtimes, int process, string? named, RuntimePlaces places, out string why)
    {
        // Two runtimes in one process are an attempt to have the one checked and the other's library loaded.
        if (runtimes is not [var runtime])
        {
            why = $"no dump is written: the process has {(runtimes.Count == 0 ? "no .NET runtime with files of its own" : "several .NET runtimes")}; 'gcore {process}' writes a core of any";
            return null;
        }

        string folder = Path.GetDirectoryName(runtime)!;
        bool isNamed = places.Named.Append(named).OfType<string>().Any(known => IsSame(known, folder));
        string? whyNot = isNamed ? WhyNotNamed(folder)
            : places.Installed.Any(known => IsSame(known, folder)) ? WhyNotInstalled(folder)
            : $"{ShellWord.Of(folder)} is no installed .NET: if you trust it, add --dac {ShellWord.Of(folder)}";
        why = whyNot is null ? string.Empty : $"no dump is written: {whyNot}";
        return whyNot is null ? Path.Join(folder, FileName) : null;
    }

    private static IReadOnlyList<string> RuntimesOf(int process)
    {
        try
        {
            return [.. MemoryMaps.Of(process, MapLimit).All.Select(map => map.Path).Where(path => Path.GetFileName(path) == RuntimeName).Distinct(StringComparer.Ordinal)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static string? WhyNotNamed(string folder)
        => s_files.Select(name => Path.Join(folder, name)).Select(file => File.Exists(file) ? NamedLibrary.WhyNot(file) : Missing(file)).FirstOrDefault(why => why is not null);

    private static string? WhyNotInstalled(string folder)
    {
        foreach (string file in s_files.Select(name => Path.Join(folder, name)))
        {
            if (OwnPath.ToFile(file, out string? whyNot) is null)
            {
                return whyNot ?? Missing(file);
            }
        }

        return null;
    }

    private static string Missing(string file) => $"there is no {ShellWord.Of(file)}";

    private static bool IsSame(string folder, string other)
        => string.Equals(Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder)), Path.TrimEndingDirectorySeparator(Path.GetFullPath(other)), StringComparison.Ordinal);
}
