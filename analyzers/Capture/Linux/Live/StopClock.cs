using System.Diagnostics;

namespace HangTriage.Capture.Linux.Live;

/// <summary>How long the target has stood still, and how long it may.</summary>
internal sealed class StopClock(TimeSpan budget)
{
    private long _start = Stopwatch.GetTimestamp();

    public static StopClock Unlimited => new(TimeSpan.MaxValue);

    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(_start);

    public bool IsTimeUp => Elapsed >= budget;

    /// <summary>No thread that has not stopped by now is waited for: the rest of the time is for the copy.</summary>
    public bool IsHalfUp => Elapsed >= budget / 2;

    public void Start() => _start = Stopwatch.GetTimestamp();
}
