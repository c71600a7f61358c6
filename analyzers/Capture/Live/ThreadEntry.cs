using HangTriage.Facts;

namespace HangTriage.Capture.Live;

/// <summary>A thread in the list of processes.</summary>
/// <param name="Name">The first 15 characters of its name.</param>
/// <param name="State">The scheduler's.</param>
/// <param name="Cpu">Processor time that it has used.</param>
public sealed record ThreadEntry(string Name, KernelThreadState State, CpuTime Cpu)
{
    /// <summary>A worker of .NET's thread pool that waits without a time limit. Null for other threads, and where this user may not know.</summary>
    public bool? IsBlockedWorker { get; init; }
}
