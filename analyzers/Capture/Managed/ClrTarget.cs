using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>Opens targets for ClrMD: bounded, and without the network.</summary>
internal static class ClrTarget
{
    private const int FileTableLimit = 4_194_304;

    /// <exception cref="Exception">ClrMD throws many kinds on what it does not understand.</exception>
    public static DataTarget Open(string path, CaptureLimits limits) => DataTarget.LoadDump(path, Options(limits));

    /// <summary>Reads through a debugger's session, on the thread that the debugger calls on.</summary>
    /// <param name="client">The session's IDebugClient; its reference stays the caller's.</param>
    /// <param name="limits">Bounds on what the target states.</param>
    /// <exception cref="Exception">ClrMD throws many kinds on what it does not understand.</exception>
    public static DataTarget OfDebugger(nint client, CaptureLimits limits) => DataTarget.CreateFromDbgEng(client, Options(limits));

    private static DataTargetOptions Options(CaptureLimits limits) => new()
    {
        FileLocator = new NoSymbolServer(),
        SymbolPaths = [],
        Limits = Limits(
            (nameof(DataTargetLimits.MaxElfProgramHeaders), limits.MemoryRanges),
            (nameof(DataTargetLimits.MaxElfFileTableEntries), FileTableLimit),
            (nameof(DataTargetLimits.MaxThreads), limits.Threads),
            (nameof(DataTargetLimits.MaxStackFrames), limits.FramesPerThread + 1),
            (nameof(DataTargetLimits.MaxModules), limits.Modules)),
    };

    // These properties are init-only, which a caller compiled for net8.0 binds to ClrMD's netstandard2.0 build; at run time
    // a .NET 10 host brings the net10.0 build, where the same setters have another signature and a direct call fails.
    private static DataTargetLimits Limits(params ReadOnlySpan<(string Name, int Value)> values)
    {
        DataTargetLimits limits = new();
        foreach ((string name, int value) in values)
        {
            typeof(DataTargetLimits).GetProperty(name)?.SetValue(limits, value);
        }

        return limits;
    }
}
