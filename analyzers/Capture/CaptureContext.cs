namespace HangTriage.Capture;

/// <summary>What every reader needs beside its target: the limits, a way to say how far it is, and a way to be stopped.</summary>
/// <param name="Limits">Bounds on every count that a target states.</param>
/// <param name="Progress">Told what is being read, in a few words; never called more than some times a second by intent.</param>
/// <param name="Cancellation">Checked once a thread, module or batch of objects.</param>
public sealed record CaptureContext(CaptureLimits Limits, IProgress<string>? Progress, CancellationToken Cancellation)
{
    /// <summary>Where image files and PDBs are looked for. Empty unless the host says: no other file is opened.</summary>
    public SymbolPath Symbols { get; init; } = SymbolPath.Empty;

    /// <summary>
    /// A library that reads the .NET runtime's data (the DAC), or the folder of a runtime that has it, where the user names one
    /// to be loaded: it is, if its build is the target's. Null to look among the installed ones alone.
    /// </summary>
    public string? Dac { get; init; }

    /// <summary>Why the .NET runtime's data is not to be read at all; null to read it.</summary>
    public string? WhyWithoutRuntime { get; init; }

    /// <summary>Look at every object of a .NET heap for damage, not just at what threads have on their stacks.</summary>
    public bool Deep { get; init; }

    /// <summary>Hears that reading with code that may never return makes progress; null where nobody asks.</summary>
    public IReadingWatch? Watch { get; init; }

    public static CaptureContext Default { get; } = new(CaptureLimits.Default, null, CancellationToken.None);

    /// <summary>Called once for each thread, frame, module or batch of objects: stops where that is asked for, and says that it makes progress.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public void Step()
    {
        Cancellation.ThrowIfCancellationRequested();
        Watch?.Step();
    }
}
