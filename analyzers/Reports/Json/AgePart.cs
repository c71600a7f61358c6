namespace HangTriage.Reports.Json;

/// <summary>How long something had lasted when the target was captured.</summary>
/// <param name="AtLeast">Milliseconds.</param>
/// <param name="AtMost">Milliseconds; absent where nothing bounds it.</param>
/// <param name="Source">The clock in the target that tells.</param>
internal sealed record AgePart(double AtLeast, double? AtMost, string Source);
