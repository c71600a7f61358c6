using HangTriage.Capture.Libraries;
using HangTriage.Capture.Symbols;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Windows.DotNet;

/// <summary>
/// Finds the library that reads the runtime's data (the DAC) on this machine. It is code that will be loaded, so a file
/// counts only if its time stamp and size are what the dump's runtime asks for; ClrMD loads it only if Microsoft signed it.
/// </summary>
/// <remarks>
/// Searched in this order: what the user names to be loaded, folders of the symbol path (no server is asked for code),
/// installed runtimes, and at last the folder that the dump names, unless that is not on a drive of this machine.
/// </remarks>
internal static class WindowsDacLocator
{
    private const string RuntimeName = "coreclr.dll";
    private const string SharedFramework = @"shared\Microsoft.NETCore.App";
    private const int FolderLimit = 256;

    /// <summary>Null, with the reason and what to do, where there is none.</summary>
    public static string? Find(ClrInfo clr, CaptureContext context, out string why)
    {
        DebugLibraryInfo[] libraries = [.. clr.DebuggingLibraries.Where(library => library.Kind == DebugLibraryKind.Dac)];
        FileIdentity[] wanted =
        [
            .. libraries
                .Where(library => library.ArchivedUnder == SymbolProperties.Self && library.IndexTimeStamp != 0)
                .Select(library => new FileIdentity((uint)library.IndexTimeStamp, (uint)library.IndexFileSize)),
        ];
        FileIdentity runtime = new((uint)clr.IndexTimeStamp, (uint)clr.IndexFileSize);
        string name = libraries.FirstOrDefault()?.FileName.Split('\\')[^1] ?? "library";
        LibraryNeed need = new()
        {
            FileNames = [name],
            RuntimeName = RuntimeName,
            Build = $".NET of build {runtime}",
            IsLibrary = file => FileIdentity.Of(file, context.Limits) is { } found && wanted.Contains(found),
            IsRuntime = file => FileIdentity.Of(file, context.Limits) == runtime,
        };
        why = $"this machine has no {name} of the dump's runtime (its build is {runtime}): install that version of .NET, or add --dac FOLDER with the folder of its runtime";
        return (context.Dac is null ? null : NamedLibrary.Find([context.Dac], need, out _))
            ?? Candidates(clr, libraries, context).Distinct(StringComparer.OrdinalIgnoreCase).FirstOrDefault(file =>
            {
                context.Step();
                return FileIdentity.Of(file, context.Limits) is not null && need.FitsTo(file, path => path);
            });
    }

    private static IEnumerable<string> Candidates(ClrInfo clr, DebugLibraryInfo[] libraries, CaptureContext context)
    {
        string[] names = [.. libraries.Select(library => library.FileName.Split('\\')[^1]).Distinct(StringComparer.OrdinalIgnoreCase)];
        IEnumerable<string> named = context.Symbols.Places
            .SelectMany(place => place.Folders)
            .SelectMany(folder => libraries.SelectMany(library => InSymbolFolder(new SymbolFolder(folder), library)));
        return named.Concat(Folders(clr).Take(FolderLimit).SelectMany(folder => names.Select(name => Path.Combine(folder, name))));
    }

    private static IReadOnlyList<string> InSymbolFolder(SymbolFolder folder, DebugLibraryInfo library)
        => SymbolKey.TryOfImage(library.FileName.Split('\\')[^1], (uint)library.IndexTimeStamp, (uint)library.IndexFileSize, out SymbolKey key)
            ? folder.Find(key, out _)
            : [];

    private static IEnumerable<string> Folders(ClrInfo clr)
    {
        string? running = Path.GetDirectoryName(typeof(object).Assembly.Location);
        string?[] roots =
        [
            Path.GetDirectoryName(running),
            Framework(Environment.GetEnvironmentVariable("DOTNET_ROOT")),
            Framework(Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.ProgramFiles), "dotnet")),
        ];
        IEnumerable<string> installed = roots.OfType<string>()
            .Where(Directory.Exists)
            .SelectMany(root => Directory.EnumerateDirectories(root).Order(StringComparer.Ordinal));
        string? recorded = Path.GetDirectoryName(clr.ModuleInfo.FileName);
        return (running is { Length: > 0 } ? [running] : Array.Empty<string>())
            .Concat(installed)
            .Concat(recorded is not null && IsOnThisMachine(recorded) ? [recorded] : []);

        static string? Framework(string? root) => root is { Length: > 0 } ? Path.Combine(root, SharedFramework) : null;
    }

    // A dump names any path that it likes: one on the network would send the user's credentials there.
    private static bool IsOnThisMachine(string folder)
        => folder.Length > 2 && char.IsAsciiLetter(folder[0]) && folder[1] == ':' && folder[2] == '\\'
            && new DriveInfo(folder[..3]).DriveType == DriveType.Fixed;
}
