using HangTriage.Capture.Linux;
using HangTriage.Facts;

namespace HangTriage.Capture.Linux.Live;

/// <summary>A process as it was in one instant, while it stood still.</summary>
/// <param name="Process">Its id where this tool runs.</param>
/// <param name="Maps">Its memory.</param>
/// <param name="Memory">What was copied of it.</param>
internal sealed record LiveCopy(int Process, MemoryMaps Maps, MemoryCopy Memory) : IDisposable
{
    public required DateTimeOffset TakenAt { get; init; }

    public required TimeSpan StoodStill { get; init; }

    /// <summary>What held something and was not copied, by address.</summary>
    public required IReadOnlyList<SystemCalls.MemoryRange> LeftOut { get; init; }

    /// <summary>By the id that the thread has in its own container.</summary>
    public required IReadOnlyDictionary<uint, byte[]> Registers { get; init; }

    /// <summary>Every thread that there was, by the same id.</summary>
    public required IReadOnlyDictionary<uint, KernelThread?> Threads { get; init; }

    /// <summary>What did not go as it should.</summary>
    public required IReadOnlyList<Gap> Gaps { get; init; }

    public void Dispose() => Memory.Dispose();
}
