using HangTriage.Capture.Managed;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.DotNet;

/// <summary>Adds what the .NET runtime in a debugger's session says of its process.</summary>
public static class SessionRuntime
{
    /// <summary>
    /// The facts with the managed half, or with the reason why it is missing; as they were where there is no .NET. A dump
    /// is read from its file, as without a debugger; a live process through the session.
    /// </summary>
    /// <param name="native">The facts of the session's native half.</param>
    /// <param name="client">The session's IDebugClient; its reference stays the caller's.</param>
    /// <param name="dump">The file that the session is on; null for a live process.</param>
    /// <param name="context">Limits, progress, cancellation and where the DAC may be.</param>
    /// <exception cref="OperationCanceledException">The context was cancelled.</exception>
    public static ProcessSnapshot AddTo(ProcessSnapshot native, nint client, string? dump, CaptureContext context)
    {
        ArgumentNullException.ThrowIfNull(native);
        ArgumentNullException.ThrowIfNull(context);
        return MinidumpRuntime.AddTo(
            native, () => dump is not null ? ClrTarget.Open(dump, context.Limits) : ClrTarget.OfDebugger(client, context.Limits), context);
    }
}
