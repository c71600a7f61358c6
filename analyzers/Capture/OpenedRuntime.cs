using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture;

/// <summary>A .NET runtime that can be read until this is disposed of.</summary>
/// <param name="runtime">The runtime.</param>
/// <param name="owned">What ends with this, in this order; nothing where the runtime stays its host's.</param>
public sealed class OpenedRuntime(ClrRuntime runtime, params IReadOnlyList<IDisposable> owned) : IDisposable
{
    public ClrRuntime Runtime { get; } = runtime;

    public void Dispose()
    {
        foreach (IDisposable one in owned)
        {
            one.Dispose();
        }
    }
}
