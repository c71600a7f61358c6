using HangTriage.Facts;

namespace HangTriage.Capture.Linux;

/// <summary>What the kernel tells of a thread of a live process.</summary>
/// <param name="Name">The first 15 characters of its name.</param>
/// <param name="Facts">Its state.</param>
internal sealed record KernelThread(string Name, KernelThreadFacts Facts)
{
    public required CpuTime Cpu { get; init; }

    public required Known<DateTimeOffset> StartedAt { get; init; }
}
