using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux;

/// <summary>
/// Finds the library that reads the runtime's data (the DAC) on this machine. It is code that will be loaded, and a core
/// names any folder that it likes; so a folder counts only if its own libcoreclr.so has the build id of the core's one, and
/// nobody but its owner can write there. Installed runtimes come before the folder that the core names.
/// </summary>
internal static class DacLocator
{
    private const string DacName = "libmscordaccore.so";
    private const string RuntimeName = "libcoreclr.so";
    private const int FolderLimit = 256;

    /// <summary>Null, with the reason and what to do, where there is none.</summary>
    public static string? Find(ClrInfo clr, IReadOnlyList<string> runtimeFolders, out string why)
    {
        why = string.Empty;
        if (!OperatingSystem.IsLinux() || clr.DataTarget.DataReader.Architecture != RuntimeInformation.ProcessArchitecture)
        {
            why = $"the runtime of a Linux {clr.DataTarget.DataReader.Architecture} core can be read only on Linux of that architecture";
            return null;
        }

        HashSet<string> wantedDacs = [.. clr.DebuggingLibraries
            .Where(library => library.Kind == DebugLibraryKind.Dac && library.ArchivedUnder == SymbolProperties.Self && !library.IndexBuildId.IsDefaultOrEmpty)
            .Select(library => Hex(library.IndexBuildId))];
        string? wanted = clr.BuildId.IsDefaultOrEmpty ? null : Hex(clr.BuildId);
        if (wanted is null && wantedDacs.Count == 0)
        {
            why = $"the core does not hold the build id of its {RuntimeName}, so no library that reads it can be verified";
            return null;
        }

        bool unsafeFolder = false;
        foreach (string folder in Folders(clr, runtimeFolders).Distinct(StringComparer.Ordinal).Take(FolderLimit))
        {
            string dac = Path.Combine(folder, DacName);
            if (!File.Exists(dac) || !(Is(Path.Combine(folder, RuntimeName), wanted) || (ElfBuildId.Of(dac) is { } own && wantedDacs.Contains(Convert.ToHexString(own)))))
            {
                continue;
            }

            if (!OthersCanWrite(folder) && !OthersCanWrite(dac))
            {
                return dac;
            }

            unsafeFolder = true;
        }

        why = unsafeFolder
            ? "the runtime's folder on this machine can be written to by everybody, so its code is not loaded"
            : $"no runtime on this machine has the core's build id {wanted?.ToLowerInvariant()}: "
                + "install that version of .NET, read the core where it was written, or name the folder of its runtime";
        return null;
    }

    private static IEnumerable<string> Folders(ClrInfo clr, IReadOnlyList<string> runtimeFolders)
    {
        string? running = Path.GetDirectoryName(typeof(object).Assembly.Location);
        string?[] roots =
        [
            Parent(running),
            Framework(Environment.GetEnvironmentVariable("DOTNET_ROOT")),
            Framework("/usr/share/dotnet"),
            Framework("/usr/lib/dotnet"),
            Framework("/usr/lib64/dotnet"),
        ];
        IEnumerable<string> installed = roots.OfType<string>().Where(Directory.Exists).SelectMany(root => Directory.EnumerateDirectories(root).Order(StringComparer.Ordinal));
        return runtimeFolders
            .Concat(running is { Length: > 0 } ? [running] : [])
            .Concat(installed)
            .Concat(Path.GetDirectoryName(clr.ModuleInfo.FileName) is { Length: > 0 } recorded && Path.IsPathFullyQualified(recorded) ? [recorded] : []);

        static string? Parent(string? folder) => folder is { Length: > 0 } ? Path.GetDirectoryName(folder) : null;

        static string? Framework(string? root) => root is { Length: > 0 } ? Path.Combine(root, "shared", "Microsoft.NETCore.App") : null;
    }

    private static bool Is(string path, string? wanted)
        => wanted is not null && File.Exists(path) && ElfBuildId.Of(path) is { } found && Convert.ToHexString(found) == wanted;

    private static string Hex(ImmutableArray<byte> id) => Convert.ToHexString(id.AsSpan());

    private static bool OthersCanWrite(string path)
        => !OperatingSystem.IsWindows() && (File.GetUnixFileMode(path) & UnixFileMode.OtherWrite) != 0;
}
