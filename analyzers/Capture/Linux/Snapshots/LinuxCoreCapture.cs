using HangTriage.Capture.Files;
using HangTriage.Capture.Linux.Damage;
using HangTriage.Capture.Linux.Images;
using HangTriage.Capture.Managed;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Snapshots;

/// <summary>Reads the ELF core of a Linux process: threads, modules and what its .NET runtime says. Never asks the network.</summary>
public static class LinuxCoreCapture
{
    /// <param name="path">The core.</param>
    /// <param name="context">Limits, progress, cancellation and the runtime's library.</param>
    /// <param name="runtime">The way to its .NET runtime; null for the one through the file.</param>
    /// <exception cref="TargetOpenException">The file is no ELF core, or its headers make no sense; the message is one line.</exception>
    /// <exception cref="OperationCanceledException">The context's token was cancelled.</exception>
    public static ProcessSnapshot Read(string path, CaptureContext context, IRuntimeDoor? runtime = null)
    {
        ArgumentNullException.ThrowIfNull(path);
        ArgumentNullException.ThrowIfNull(context);
        context.Progress?.Report("core");
        CoreNotes notes = Notes(path, context.Limits);
        try
        {
            context.Watch?.Begin();
            using DataTarget unmapped = ClrTarget.Open(path, context.Limits);
            using MappedFile file = MappedFile.Open(path);
            MappedCore core = new(unmapped.DataReader, file, notes.Memory);
            if (!notes.IsOfCreatedump)
            {
                return ReadWithFiles(core, notes, runtime, context);
            }

            CoreLosses losses = new(notes);
            CoreMemory memory = new(core, notes.Memory);
            using ImageFiles files = ImageFiles.FindRuntime(notes, memory, context);
            using DataTarget target =
                ClrTarget.Open(losses.Watch(files.IsEmpty ? core : new CoreReader(core, memory, files)), context.Limits);
            return Read(target, notes, losses, runtime ?? new CoreRuntime(target), context);
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException or TargetOpenException))
        {
            throw new TargetOpenException($"not a readable ELF core: {Attempt.OneLine(e.Message)}", e);
        }
        finally
        {
            context.Watch?.End();
        }
    }

    /// <summary>Reads a Linux process that a debugger shows.</summary>
    /// <param name="reader">Its memory, modules and, as an IThreadReader, its threads.</param>
    /// <param name="pid">Its id; null where the debugger does not know it.</param>
    /// <param name="program">The file name of its main program; null where the debugger does not know it.</param>
    /// <param name="runtime">The way to its .NET runtime; null for the one through the reader.</param>
    /// <param name="context">Limits, progress and cancellation.</param>
    /// <exception cref="TargetOpenException">Its architecture is none that can be read.</exception>
    /// <exception cref="OperationCanceledException">The context's token was cancelled.</exception>
    public static ProcessSnapshot Read(IDataReader reader, uint? pid, string? program, IRuntimeDoor? runtime, CaptureContext context)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(context);
        using DataTarget target = ClrTarget.Open(reader, context.Limits);
        return new LinuxSnapshot(new SessionProcess(target, pid, program, runtime), context).Read();
    }

    private static ProcessSnapshot Read(DataTarget target, CoreNotes notes, CoreLosses losses, IRuntimeDoor runtime, CaptureContext context)
        => new LinuxSnapshot(new CoreProcess(target, notes, losses, runtime), context).Read();

    /// <summary>A core that the kernel or a debugger wrote: it leaves out what the process only read from files.</summary>
    private static ProcessSnapshot ReadWithFiles(IDataReader core, CoreNotes notes, IRuntimeDoor? runtime, CaptureContext context)
    {
        context.Progress?.Report("files");
        CoreMemory memory = new(core, notes.Memory);
        using ImageFiles files = ImageFiles.Find(notes, memory, context);
        using CoreWithFiles whole = CoreWithFiles.Open(core, memory, files, notes, context);
        IRuntimeDoor door = whole.Runtime is { } opened ? new HostRuntime(opened) : runtime ?? new CoreRuntime(whole.Target);
        ProcessSnapshot snapshot = Read(whole.Target, notes, whole.Losses, door, context);
        return files.Missing is { } missing ? snapshot with { Gaps = [.. snapshot.Gaps, missing] } : snapshot;
    }

    private static CoreNotes Notes(string path, CaptureLimits limits)
    {
        try
        {
            using FileStream file = PlainFile.OpenStream(path);
            return CoreNotes.Read(file, limits);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException)
        {
            throw new TargetOpenException($"the core cannot be opened: {Attempt.OneLine(e.Message)}", e);
        }
    }
}
