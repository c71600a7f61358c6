using System.Runtime.InteropServices;
using HangTriage.Capture.Linux.Live;
using HangTriage.Capture.Managed;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Snapshots;

/// <summary>
/// Reads a process that runs on this machine. It is stopped for the time of one copy; all else is read of the copy, or while
/// the process runs.
/// </summary>
public static class LinuxLiveCapture
{
    // As long as another triage may have it stopped.
    private const int TriesWhileTraced = 20;

    private static readonly TimeSpan s_betweenTries = TimeSpan.FromMilliseconds(50);

    /// <summary>How long a process stands still at most, if the user does not say: few callers give up within it.</summary>
    public static TimeSpan DefaultPause { get; } = TimeSpan.FromMilliseconds(100);

    /// <param name="process">Its id.</param>
    /// <param name="pause">How long it may stand still.</param>
    /// <param name="context">Limits, progress, cancellation and the runtime's library.</param>
    /// <param name="copied">Called when the process runs again; all the rest of the work comes after that.</param>
    /// <exception cref="TargetOpenException">The process cannot be looked at; the message is one line.</exception>
    /// <exception cref="OperationCanceledException">The context's token was cancelled.</exception>
    public static ProcessSnapshot Read(int process, TimeSpan pause, CaptureContext context, Action? copied = null)
    {
        ArgumentNullException.ThrowIfNull(context);
        for (int i = 0; i < TriesWhileTraced && LiveRefusal.IsTraced(process); i++)
        {
            context.Cancellation.WaitHandle.WaitOne(s_betweenTries);
            context.Cancellation.ThrowIfCancellationRequested();
        }

        if (WhyNot(process) is { } why)
        {
            throw new TargetOpenException(why);
        }

        context.Progress?.Report("process");
        context.Cancellation.ThrowIfCancellationRequested();
        using LiveCopy copy = new LiveStop(process, pause, context.Limits).Take();
        copied?.Invoke();
        return Read(copy, context);
    }

    /// <summary>Why the process cannot be looked at; null where nothing is known to speak against it.</summary>
    public static string? WhyNot(int process)
        => !OperatingSystem.IsLinux() || RuntimeInformation.ProcessArchitecture != Architecture.X64
            ? "live processes are read on Linux with x64 processors alone; take a dump and analyze that"
            : LiveRefusal.Before(process);

    private static ProcessSnapshot Read(LiveCopy copy, CaptureContext context)
    {
        try
        {
            context.Watch?.Begin();
            LiveReader reader = new(copy);
            using DataTarget target = ClrTarget.Open(reader, context.Limits);
            return new LinuxSnapshot(new LiveProcess(copy, reader, target), context).Read();
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException or TargetOpenException))
        {
            throw new TargetOpenException($"the process cannot be read: {Attempt.OneLine(e.Message)}", e);
        }
        finally
        {
            context.Watch?.End();
        }
    }
}
