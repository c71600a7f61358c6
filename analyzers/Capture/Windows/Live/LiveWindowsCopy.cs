using HangTriage.Capture.Live;
using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Live;

/// <summary>A process as it was in one instant, while it stood still.</summary>
/// <param name="Process">It.</param>
/// <param name="Map">Its memory.</param>
/// <param name="Memory">What was copied of it.</param>
internal sealed record LiveWindowsCopy(OpenProcess Process, RegionMap Map, CopyBuffer Memory) : IDisposable
{
    public required DateTimeOffset TakenAt { get; init; }

    public required TimeSpan StoodStill { get; init; }

    /// <summary>What held something and was not copied, by address.</summary>
    public required IReadOnlyList<AddressRange> LeftOut { get; init; }

    /// <summary>The threads that were suspended, in the system's order.</summary>
    public required IReadOnlyList<LiveThread> Threads { get; init; }

    /// <summary>What did not go as it should.</summary>
    public required IReadOnlyList<Gap> Gaps { get; init; }

    public void Dispose() => Memory.Dispose();
}
