using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Snapshots;

/// <summary>All that one .NET runtime told of its process.</summary>
/// <param name="Facts">Its locks and waits.</param>
/// <param name="Threads">Its threads that live, by operating-system id.</param>
/// <param name="Gaps">What it could not tell, beyond the gaps in <paramref name="Facts"/>.</param>
public sealed record ManagedReading(
    ManagedFacts Facts,
    IReadOnlyDictionary<ThreadId, ManagedThread> Threads,
    IReadOnlyList<Gap> Gaps)
{
    /// <summary>False where the input leaves out its heap, as a mini dump does.</summary>
    public bool HasHeap { get; init; } = true;

    /// <summary>The file name of the assembly that was started; null where that is not known.</summary>
    public string? Program { get; init; }

    /// <summary>The last exception of the thread that the process crashed in; null where there is none.</summary>
    public ThrownException? Exception { get; init; }
}
