using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>Opens targets for ClrMD: bounded, and without the network.</summary>
internal static class ClrTarget
{
    private const int FileTableLimit = 4_194_304;

    /// <exception cref="Exception">ClrMD throws many kinds on what it does not understand.</exception>
    public static DataTarget Open(string path, CaptureLimits limits) => DataTarget.LoadDump(path, Options(limits));

    public static DataTarget Open(IDataReader reader, CaptureLimits limits) => new(reader, Options(limits));

    private static DataTargetOptions Options(CaptureLimits limits) => Set(
        new DataTargetOptions(),
        (nameof(DataTargetOptions.FileLocator), new NoSymbolServer()),
        (nameof(DataTargetOptions.SymbolPaths), Array.Empty<string>()),
        (nameof(DataTargetOptions.Limits), Set(
            new DataTargetLimits(),
            (nameof(DataTargetLimits.MaxElfProgramHeaders), limits.MemoryRanges),
            (nameof(DataTargetLimits.MaxElfFileTableEntries), FileTableLimit),
            (nameof(DataTargetLimits.MaxThreads), limits.Threads),
            (nameof(DataTargetLimits.MaxStackFrames), limits.FramesPerThread + 1),
            (nameof(DataTargetLimits.MaxModules), limits.Modules))));

    // The setters of these properties have another signature in each version and build of ClrMD, init-only or not; a host
    // brings another one than this was compiled for, and a direct call fails there.
    private static T Set<T>(T options, params ReadOnlySpan<(string Name, object Value)> values)
        where T : class
    {
        foreach ((string name, object value) in values)
        {
            typeof(T).GetProperty(name)?.SetValue(options, value);
        }

        return options;
    }
}
