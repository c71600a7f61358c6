namespace HangTriage.Facts;

/// <summary>The counts of a thread pool's workers.</summary>
/// <param name="Processing">Workers that have taken a work item.</param>
/// <param name="Existing">Workers that there are.</param>
/// <param name="Goal">How many the pool wants to have at work now.</param>
/// <param name="Least">Up to how many it makes at once.</param>
/// <param name="Most">How many it makes at most.</param>
public sealed record PoolWorkers(uint Processing, uint Existing, uint Goal, uint Least, uint Most);
