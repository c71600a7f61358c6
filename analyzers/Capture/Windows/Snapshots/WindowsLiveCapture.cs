using HangTriage.Capture.Live;
using HangTriage.Capture.Windows.Live;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Snapshots;

/// <summary>
/// Reads a process that runs on this machine. It is suspended for the time of one copy; all else is read of the copy, or while
/// the process runs.
/// </summary>
public static class WindowsLiveCapture
{
    /// <param name="process">Its id.</param>
    /// <param name="pause">How long it may stand still.</param>
    /// <param name="journal">That of the guardian, which resumes the process if this one is killed.</param>
    /// <param name="context">Limits, progress, cancellation and the runtime's library.</param>
    /// <param name="copied">Called when the process runs again; all the rest of the work comes after that.</param>
    /// <exception cref="TargetOpenException">The process cannot be looked at; the message is one line.</exception>
    /// <exception cref="OperationCanceledException">The context's token was cancelled.</exception>
    public static ProcessSnapshot Read(int process, TimeSpan pause, StopJournal journal, CaptureContext context, Action? copied = null)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (WhyNot(process) is { } why)
        {
            throw new TargetOpenException(why);
        }

        context.Progress?.Report("process");
        context.Cancellation.ThrowIfCancellationRequested();
        using OpenProcess opened = WindowsRefusal.Open(process, out int error) ?? throw new TargetOpenException(WindowsRefusal.Of(process, error));
        using LiveWindowsCopy copy = new WindowsStop(opened, pause, journal, context.Limits).Take();
        copied?.Invoke();
        return Read(copy, context);
    }

    /// <summary>Why the process cannot be looked at; null where nothing is known to speak against it.</summary>
    public static string? WhyNot(int process) => WindowsRefusal.Before(process);

    private static ProcessSnapshot Read(LiveWindowsCopy copy, CaptureContext context)
    {
        try
        {
            LiveWindowsReader reader = new(copy, LiveImages.Of(copy.Process.Handle, copy.Map, context.Limits.Modules));
            ProcessSnapshot snapshot = WindowsCapture.Read(new LiveWindowsProcess(copy, reader), context);
            ulong bytes = copy.LeftOut.Aggregate(0UL, (sum, range) => sum + (range.End - range.Start));
            return LateMemory.GapOf(bytes, copy.StoodStill, reader.Late) is { } late ? snapshot with { Gaps = [.. snapshot.Gaps, late] } : snapshot;
        }
        catch (Exception e) when (e is not (OperationCanceledException or OutOfMemoryException or TargetOpenException))
        {
            throw new TargetOpenException($"the process cannot be read: {Attempt.OneLine(e.Message)}", e);
        }
    }
}
