namespace HangTriage.Capture.Managed.Requests;

/// <summary>In what a time is noted, and on which clock.</summary>
internal enum StartUnit
{
    /// <summary>Ticks of Stopwatch: on Linux nanoseconds of the clock that the runtime counts its own times on.</summary>
    StopwatchTicks,

    /// <summary>A DateTime of the calendar in UTC, which somebody may have set since.</summary>
    Utc,

    /// <summary>A timer that was set at that time.</summary>
    Timer,
}
