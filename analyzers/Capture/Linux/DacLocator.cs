using System.Collections.Immutable;
using System.Runtime.InteropServices;
using HangTriage.Capture.Libraries;
using HangTriage.Capture.Managed;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux;

/// <summary>Says which library reads the data of a Linux runtime (the DAC). It is code that will be loaded: <see cref="TrustedLibraries"/> says whose.</summary>
internal static class DacLocator
{
    private const string DacName = "libmscordaccore.so";
    private const string RuntimeName = "libcoreclr.so";

    /// <summary>Null, with the reason and what to do, where there is none.</summary>
    public static string? Find(ClrInfo clr, CaptureContext context, out string why)
    {
        HashSet<string> libraries = [.. clr.DebuggingLibraries
            .Where(library => library.Kind == DebugLibraryKind.Dac && library.ArchivedUnder == SymbolProperties.Self && !library.IndexBuildId.IsDefaultOrEmpty)
            .Select(library => Hex(library.IndexBuildId))];
        string? runtime = clr.BuildId.IsDefaultOrEmpty ? null : Hex(clr.BuildId);
        if (runtime is null && libraries.Count == 0)
        {
            why = $"the build id of the target's {RuntimeName} is not in the input, so no library that reads it can be verified";
            return null;
        }

        LibraryNeed need = new()
        {
            FileNames = [DacName],
            RuntimeName = RuntimeName,
            Build = $"{Version(clr)} with build id {runtime ?? libraries.First()}",
            IsLibrary = file => libraries.Count > 0 && BuildIdOf(file) is { } own && libraries.Contains(own),
            IsRuntime = file => runtime is not null && BuildIdOf(file) == runtime,
            Seen = [.. Seen(clr, context)],
        };
        bool isOfThisMachine = OperatingSystem.IsLinux() && clr.DataTarget.DataReader.Architecture == RuntimeInformation.ProcessArchitecture;
        return isOfThisMachine && OperatingSystem.IsLinux() ? TrustedLibraries.Of(context).Choose(need, out why) : Foreign(clr, context, need, out why);
    }

    /// <summary>Another system or processor: only a library that was made to read this one from there will do, and the user has to name it.</summary>
    private static string? Foreign(ClrInfo clr, CaptureContext context, LibraryNeed need, out string why)
    {
        why = $"the runtime of a Linux {clr.DataTarget.DataReader.Architecture} core can be read only on Linux of that architecture";
        return context.Dac is null ? null : NamedLibrary.Find([context.Dac], need, out _);
    }

    private static string Version(ClrInfo clr)
        => RuntimeDescription.Of(clr).Version.TryGet(out string? version) ? $".NET {version}" : ".NET of an unknown version";

    private static IEnumerable<string> Seen(ClrInfo clr, CaptureContext context)
    {
        string? recorded = Path.GetDirectoryName(clr.ModuleInfo.FileName);
        IEnumerable<string> ofUser = context.Symbols.Places.SelectMany(place => place.Folders);
        return recorded is { Length: > 0 } ? [recorded, .. ofUser.SelectMany(folder => new[] { folder, Path.Join(folder, recorded) })] : ofUser;
    }

    private static string? BuildIdOf(string file) => ElfBuildId.Of(file) is { } id ? Convert.ToHexString(id).ToLowerInvariant() : null;

    private static string Hex(ImmutableArray<byte> id) => Convert.ToHexString(id.AsSpan()).ToLowerInvariant();
}
