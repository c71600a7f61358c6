namespace HangTriage.Facts.Time;

/// <summary>The moment of the capture on the clock that the runtime counts its own times on, between two bounds.</summary>
/// <param name="AtLeast">It was not before this time on that clock.</param>
/// <param name="AtMost">It was not after this time; null where nothing bounds it.</param>
/// <param name="Sources">What gives the two bounds, the lower first.</param>
public sealed record ClockFacts(TimeSpan AtLeast, TimeSpan? AtMost, IReadOnlyList<string> Sources)
{
    /// <summary>The same moment by the calendar, where the target has noted both for one moment; null where it has not.</summary>
    public DateTimeOffset? Utc { get; init; }
}
