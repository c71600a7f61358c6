using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Capture.Windows.Live;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.Facts;

namespace HangTriage.Capture.Targets;

/// <summary>Reads a process that runs on this machine, whatever its system is.</summary>
public static class LiveCapture
{
    /// <summary>How long a process stands still at most, if the user does not say: few callers give up within it.</summary>
    public static TimeSpan DefaultPause { get; } = LinuxLiveCapture.DefaultPause;

    /// <param name="process">Its id.</param>
    /// <param name="pause">How long it may stand still.</param>
    /// <param name="context">Limits, progress, cancellation and the runtime's library.</param>
    /// <param name="journal">On Windows the guardian's, without which nothing is suspended; elsewhere null.</param>
    /// <param name="copied">Called when the process runs again; all the rest of the work comes after that.</param>
    /// <exception cref="TargetOpenException">The process cannot be looked at; the message is one line.</exception>
    /// <exception cref="OperationCanceledException">The context's token was cancelled.</exception>
    public static ProcessSnapshot Read(int process, TimeSpan pause, CaptureContext context, StopJournal? journal, Action? copied = null)
        => journal is null ? LinuxLiveCapture.Read(process, pause, context, copied) : WindowsLiveCapture.Read(process, pause, journal, context, copied);

    /// <summary>Why the process cannot be looked at; null where nothing is known to speak against it.</summary>
    public static string? WhyNot(int process) => OperatingSystem.IsWindows() ? WindowsLiveCapture.WhyNot(process) : LinuxLiveCapture.WhyNot(process);
}
