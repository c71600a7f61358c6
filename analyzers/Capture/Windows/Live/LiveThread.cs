using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Live;

/// <summary>A thread of a live process.</summary>
/// <param name="Id">Its id.</param>
/// <param name="Handle">Open as long as its <see cref="ThreadSuspender"/>.</param>
/// <param name="Entry">Its entry in the journal.</param>
internal sealed record LiveThread(uint Id, nint Handle, int Entry)
{
    /// <summary>This tool has suspended it.</summary>
    public bool IsSuspended { get; set; }

    /// <summary>How often it was suspended before; null where it could not be suspended.</summary>
    public uint? SuspendCount { get; set; }

    /// <summary>CONTEXT of winnt.h; null where the system did not give it.</summary>
    public byte[]? Context { get; set; }

    /// <summary>What the system says of it without a stop.</summary>
    public required LiveThreadFacts Facts { get; init; }
}
