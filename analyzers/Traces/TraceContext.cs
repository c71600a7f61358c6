using HangTriage.Traces.Tags;
using Microsoft.Win32.SafeHandles;

namespace HangTriage.Traces;

/// <summary>What reading a trace needs beside the file.</summary>
/// <param name="Limits">Bounds on every count that a trace states.</param>
/// <param name="Progress">Told how far the reading is, in a few words; null where nobody asks.</param>
/// <param name="Cancellation">Checked once for each buffer or some thousand lines.</param>
public sealed record TraceContext(TraceLimits Limits, IProgress<string>? Progress, CancellationToken Cancellation)
{
    /// <summary>The moment of which every thread's state is wanted (that of a dump); null for the trace's end.</summary>
    public DateTimeOffset? Moment { get; init; }

    /// <summary>
    /// A library reads .nettrace files, which a hostile one can make loop forever: only a process that somebody watches may use it.
    /// </summary>
    public bool ReadsNettrace { get; init; } = true;

    /// <summary>Hears of reading that may never return; null where nobody asks.</summary>
    public TraceWatch? Watch { get; init; }

    /// <summary>Opens the file that the user named, and refuses what is no file; null to take any name for that of a file.</summary>
    public Func<string, SafeFileHandle>? Opener { get; init; }

    /// <summary>What the frames of its stacks mean; null for the built-in tags.</summary>
    public StackTags? Tags { get; init; }

    public static TraceContext Default { get; } = new(TraceLimits.Default, null, CancellationToken.None);
}
