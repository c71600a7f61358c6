using HangTriage.Facts;

namespace HangTriage.Reports;

/// <summary>A gap, and how often it stands in the facts.</summary>
internal sealed record GapCount(Gap Gap, int Count);
