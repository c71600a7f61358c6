namespace HangTriage.Facts;

/// <summary>What the .NET runtime of a process says of itself.</summary>
/// <param name="Pid">The process.</param>
/// <param name="PoolWorkers">The last number of workers that the thread pool decided on.</param>
/// <param name="Adjustments">How often the pool decided on a number of workers.</param>
/// <param name="Starvations">How often the pool added a worker because none finished its work.</param>
/// <param name="Suspensions">Stops of all threads for a collection.</param>
/// <param name="Suspended">The time from the first sign of a stop to its end, summed.</param>
/// <param name="LongestSuspension">The longest of them.</param>
public sealed record TraceRuntime(uint Pid, Known<int> PoolWorkers, long Adjustments, long Starvations, long Suspensions, TimeSpan Suspended, TimeSpan LongestSuspension);
