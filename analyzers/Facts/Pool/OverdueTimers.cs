using HangTriage.Facts.Time;

namespace HangTriage.Facts;

/// <summary>Timers that are due and have not fired.</summary>
/// <param name="Count">How many.</param>
/// <param name="Longest">How long ago the first of them was due; null where there is none.</param>
public sealed record OverdueTimers(uint Count, Age? Longest);
