using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>A runtime that somebody else has opened, and disposes of; or could not open, and says why.</summary>
public sealed class HostRuntime : IRuntimeDoor
{
    private readonly ClrRuntime? _runtime;
    private readonly string _why;

    public HostRuntime(ClrRuntime runtime)
    {
        _runtime = runtime;
        _why = string.Empty;
    }

    /// <param name="why">Why there is none to be read, in one line.</param>
    public HostRuntime(string why) => _why = why;

    public OpenedRuntime? Open(CaptureContext context, out string why)
    {
        why = _why;
        return _runtime is null ? null : new OpenedRuntime(_runtime);
    }
}
