using System.Runtime.InteropServices;
using HangTriage.Capture;
using HangTriage.Capture.Linux.Snapshots;
using HangTriage.Capture.Managed;
using HangTriage.Capture.Targets;
using HangTriage.Capture.Windows.Snapshots;
using HangTriage.Facts;
using Microsoft.Diagnostics.DebugServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.DotnetDump;

/// <summary>
/// The dump or process that the host shows. A dump file is read as the command line reads it, with the runtime that the
/// host has opened; a process, or a dump whose file the host does not name, is read through the host's services.
/// </summary>
internal sealed class HostedTarget(IServiceProvider services)
{
    /// <param name="isDeep">Look at every object of the heap.</param>
    /// <param name="cancellation">Ends the reading.</param>
    /// <exception cref="DiagnosticsException">The host has no target, or one that is not judged.</exception>
    /// <exception cref="TargetOpenException">The target cannot be read.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public ProcessSnapshot Capture(bool isDeep, CancellationToken cancellation)
    {
        ITarget target = Service<ITarget>() ?? throw new DiagnosticsException("triage: there is nothing to judge: open a dump or attach first");
        HostRuntime? runtime = OpenRuntime(out Gap? noRuntime);
        CaptureContext context = new(CaptureLimits.Default, null, cancellation) { Deep = isDeep };
        ProcessSnapshot snapshot = DumpFile.Of(target) is { } file
            ? TargetFile.Capture(file, context, runtime)
            : Session(target, runtime, noRuntime, context);
        return noRuntime is null ? snapshot : snapshot with { Gaps = [.. snapshot.Gaps, noRuntime] };
    }

    private ProcessSnapshot Session(ITarget target, HostRuntime? runtime, Gap? noRuntime, CaptureContext context)
    {
        if (Service<IDataReader>() is not { } memory || Service<IThreadService>() is not { } threads)
        {
            throw new DiagnosticsException("triage: this host gives no access to the target's memory and threads");
        }

        HostReader reader = new(memory, threads);
        return target.OperatingSystem == OSPlatform.Linux ? LinuxCoreCapture.Read(reader, target.ProcessId, Program(), runtime, context)
            : target.OperatingSystem == OSPlatform.Windows ? WindowsCapture.Read(OfWindows(reader, target, runtime, noRuntime, context), context)
            : throw new DiagnosticsException($"triage: processes of {target.OperatingSystem} are not judged; those of Windows and Linux are");
    }

    private static HostedWindowsProcess OfWindows(HostReader reader, ITarget target, HostRuntime? runtime, Gap? noRuntime, CaptureContext context)
        => new(reader, target, runtime ?? new HostRuntime(noRuntime?.Why ?? "the debugger has opened no .NET runtime"), context);

    private string? Program()
        => Service<IModuleService>()?.EntryPointModule?.FileName is { Length: > 0 } path ? path[(path.LastIndexOf('/') + 1)..] : null;

    /// <summary>The host opens the runtime when it is first asked for it, and fails where the library that reads it is missing or does not fit.</summary>
    private HostRuntime? OpenRuntime(out Gap? why)
    {
        try
        {
            why = null;
            return Service<ClrRuntime>() is { } runtime ? new HostRuntime(runtime) : null;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            why = new Gap("managed threads and locks", $"the debugger could not open the .NET runtime: {e.Message.ReplaceLineEndings(" ")}");
            return null;
        }
    }

    private T? Service<T>()
        where T : class
        => services.GetService(typeof(T)) as T;
}
