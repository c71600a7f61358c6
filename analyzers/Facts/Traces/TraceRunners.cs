namespace HangTriage.Facts;

/// <summary>The threads that ran while another was ready.</summary>
/// <param name="Count">How many, idle threads left out.</param>
/// <param name="OfLowerPriority">Those with a priority below the ready thread's.</param>
/// <param name="LowestPriority">The lowest of their priorities.</param>
/// <param name="HighestPriority">The highest of their priorities.</param>
/// <param name="LowestRank">The lowest of their ranks; a gap where none is recorded.</param>
/// <param name="HighestRank">The highest of their ranks.</param>
public sealed record TraceRunners(int Count, int OfLowerPriority, int LowestPriority, int HighestPriority, Known<int> LowestRank, Known<int> HighestRank);
