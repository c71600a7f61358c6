using HangTriage.Capture.Managed;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux;

/// <summary>Reads the ELF core of a Linux process: threads, modules and what its .NET runtime says. Never asks the network.</summary>
public static class LinuxCoreCapture
{
    private const int FileTableLimit = 4_194_304;

    public static ProcessSnapshot Read(string path, CaptureContext context) => Read(path, context, []);

    /// <param name="path">The core.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    /// <param name="runtimeFolders">
    /// More folders that hold a runtime with its libmscordaccore.so, asked first. One counts only if its build id is the core's.
    /// </param>
    /// <exception cref="TargetOpenException">The file is no ELF core, or its headers make no sense; the message is one line.</exception>
    /// <exception cref="OperationCanceledException">The context's token was cancelled.</exception>
    public static ProcessSnapshot Read(string path, CaptureContext context, IReadOnlyList<string> runtimeFolders)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(runtimeFolders);
        context.Progress?.Report("core");
        CoreNotes notes = Notes(path, context.Limits);
        try
        {
            using DataTarget target = DataTarget.LoadDump(path, Options(context.Limits));
            return new CoreSnapshot(target, notes, context, runtimeFolders).Read();
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException or TargetOpenException))
        {
            throw new TargetOpenException($"not a readable ELF core: {Attempt.OneLine(e.Message)}", e);
        }
    }

    private static CoreNotes Notes(string path, CaptureLimits limits)
    {
        try
        {
            using FileStream file = File.OpenRead(path);
            return CoreNotes.Read(file, limits);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new TargetOpenException($"the core cannot be opened: {Attempt.OneLine(e.Message)}", e);
        }
    }

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
