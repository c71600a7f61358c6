namespace HangTriage.Facts;

/// <summary>What a worker of the thread pool has done.</summary>
/// <param name="Thread">The worker.</param>
/// <param name="Completed">How many work items it has completed, as the pool counts them; the count starts again after 2^32.</param>
public sealed record WorkerItems(ThreadId Thread, uint Completed);
