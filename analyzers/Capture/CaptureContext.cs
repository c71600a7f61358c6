using HangTriage.Capture.Symbols;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture;

/// <summary>What every reader needs beside its target: the limits, a way to say how far it is, and a way to be stopped.</summary>
/// <param name="Limits">Bounds on every count that a target states.</param>
/// <param name="Progress">Told what is being read, in a few words; never called more than some times a second by intent.</param>
/// <param name="Cancellation">Checked once a thread, module or batch of objects.</param>
public sealed record CaptureContext(CaptureLimits Limits, IProgress<string>? Progress, CancellationToken Cancellation)
{
    /// <summary>Where image files and PDBs are looked for. Empty unless the host says: no other file is opened.</summary>
    public SymbolPath Symbols { get; init; } = SymbolPath.Empty;

    /// <summary>The target's .NET runtime where the host has opened it already, and disposes of it; null where a reader may look for one.</summary>
    public ClrRuntime? Runtime { get; init; }

    /// <summary>
    /// The library that reads the .NET runtime's data (the DAC), where the user names one: it is loaded as it is, and need
    /// not be the one of the target's runtime. Null to look for that one.
    /// </summary>
    public string? Dac { get; init; }

    /// <summary>Why the .NET runtime's data is not to be read at all; null to read it.</summary>
    public string? WhyWithoutRuntime { get; init; }

    /// <summary>Look at every object of a .NET heap for damage, not just at what threads have on their stacks.</summary>
    public bool Deep { get; init; }

    public static CaptureContext Default { get; } = new(CaptureLimits.Default, null, CancellationToken.None);
}
