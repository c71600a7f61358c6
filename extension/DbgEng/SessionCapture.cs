using System.Diagnostics;
using System.Globalization;
using HangTriage.Capture;
using HangTriage.Capture.Windows.DotNet;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.DbgEng.Engine;
using HangTriage.Facts;

namespace HangTriage.DbgEng;

/// <summary>Reads the facts of a session's process; Ctrl+Break ends that, and what was read until then counts.</summary>
internal sealed class SessionCapture(DebugSession session, TriageRequest request)
{
    private readonly LastStep _step = new();

    /// <exception cref="OperationCanceledException">It was stopped before the threads were known.</exception>
    /// <exception cref="TargetOpenException">There is nothing that can be judged.</exception>
    public SessionFacts Read()
    {
        long start = Stopwatch.GetTimestamp();
        using InterruptWatch watch = new(session);
        CaptureContext context = new(CaptureLimits.Default, _step, watch.Token) { Deep = request.IsDeep };
        DumpFile? file = request.Dump is { } dump ? DumpFile.TryOpen(dump, context) : null;
        TargetArchitecture architecture = SessionTarget.Architecture(session);
        DbgEngProcess process = new(session, architecture, file, watch, RuntimeOf(architecture), context);

        // Once the user has stopped it, the process gives nothing more: the reading comes to its end by itself, at once.
        ProcessSnapshot snapshot = WindowsCapture.ReadNative(process, context with { Cancellation = CancellationToken.None });
        snapshot = AddManaged(snapshot, process, context);
        TimeSpan took = Stopwatch.GetElapsedTime(start);
        return new SessionFacts(watch.IsStopped ? snapshot with { Stopped = Stopped(took) } : snapshot, took, start);
    }

    /// <summary>A dump is read from its file, as without a debugger; a live process through the session.</summary>
    private WindowsRuntime RuntimeOf(TargetArchitecture architecture)
        => request.Dump is { } dump ? WindowsRuntime.OfDump(dump, architecture) : WindowsRuntime.OfDebugger(request.Client, architecture);

    private static ProcessSnapshot AddManaged(ProcessSnapshot native, DbgEngProcess process, CaptureContext context)
    {
        try
        {
            return WindowsCapture.AddManaged(native, process, context);
        }
        catch (OperationCanceledException)
        {
            return native;
        }
    }

    private Gap Stopped(TimeSpan after)
        => new("all that was not read yet", string.Create(CultureInfo.InvariantCulture, $"stopped by the user after {after.TotalSeconds:F1} s, at \"{_step.Text}\""));

    private sealed class LastStep : IProgress<string>
    {
        public string Text { get; private set; } = "modules and threads";

        public void Report(string value) => Text = value;
    }
}
