using HangTriage.Capture.Linux.Damage;
using HangTriage.Capture.Managed;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Images;

/// <summary>A core that the kernel or a debugger wrote, which leaves out what the process only read from files, with these files.</summary>
internal sealed class CoreWithFiles : IDisposable
{
    private readonly OpenedRuntime? _runtime;

    private CoreWithFiles(DataTarget target, OpenedRuntime? runtime, CoreLosses losses)
    {
        Target = target;
        _runtime = runtime;
        Losses = losses;
    }

    public DataTarget Target { get; }

    /// <summary>Null where it cannot be opened, or the process has none.</summary>
    public ClrRuntime? Runtime => _runtime?.Runtime;

    /// <summary>What was asked of it and is in neither.</summary>
    public CoreLosses Losses { get; }

    /// <param name="core">Reads the core alone; stays the caller's.</param>
    /// <param name="memory">What the core holds.</param>
    /// <param name="files">What stands in for the rest; loses those that turn out to be of another build.</param>
    /// <param name="notes">The core's.</param>
    /// <param name="context">Limits and the runtime's library.</param>
    public static CoreWithFiles Open(IDataReader core, CoreMemory memory, ImageFiles files, CoreNotes notes, CaptureContext context)
    {
        while (true)
        {
            CoreLosses losses = new(notes);
            DataTarget target = ClrTarget.Open(losses.Watch(new CoreReader(core, memory, files)), context.Limits);
            CoreWithFiles opened = new(target, RuntimeOf(target, context), losses);
            if (opened.Runtime is null || !files.DropIf(file => opened.Contradicts(file, context)))
            {
                return opened;
            }

            opened.Dispose();
        }
    }

    public void Dispose()
    {
        _runtime?.Dispose();
        Target.Dispose();
    }

    // Why it cannot be opened is told by whoever tries next.
    private static OpenedRuntime? RuntimeOf(DataTarget target, CaptureContext context)
    {
        try
        {
            return context.WhyWithoutRuntime is null ? new CoreRuntime(target).Open(context, out _) : null;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return null;
        }
    }

    private bool Contradicts(ImageFile file, CaptureContext context)
    {
        context.Step();
        try
        {
            return Runtime!.EnumerateModules().Where(module => module.Name == file.MappedPath).Any(module => !TokenCheck.Agrees(module, file.Path));
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // A damaged core proves nothing.
            return true;
        }
    }
}
