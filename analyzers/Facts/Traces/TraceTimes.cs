namespace HangTriage.Facts;

/// <summary>A thread's time: running + ready + waiting is the time that it lived in the window, exactly.</summary>
/// <param name="Running">From switched in to switched out.</param>
/// <param name="Ready">From readied, or from switched out while ready, to switched in.</param>
/// <param name="Waiting">The rest.</param>
/// <param name="Switches">How often it was switched in.</param>
public sealed record TraceTimes(TimeSpan Running, TimeSpan Ready, TimeSpan Waiting, long Switches);
