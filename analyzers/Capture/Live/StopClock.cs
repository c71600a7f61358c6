using System.Diagnostics;

namespace HangTriage.Capture.Live;

/// <summary>How long the target has stood still, and how long it may.</summary>
internal sealed class StopClock(TimeSpan budget)
{
    private long _start = Stopwatch.GetTimestamp();

    public TimeSpan Elapsed => Stopwatch.GetElapsedTime(_start);

    public bool IsTimeUp => Elapsed >= budget;

    /// <summary>The same clock for what the sample is worth nothing without: it may take as long again.</summary>
    public StopClock Extended => new(budget * 2) { _start = _start };

    public void Start() => _start = Stopwatch.GetTimestamp();
}
