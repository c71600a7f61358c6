namespace HangTriage.Facts;

/// <summary>Stacks of a trace.</summary>
/// <param name="Walks">Events that hold frames.</param>
/// <param name="Joined">Those of them that belong to an event that was asked for.</param>
/// <param name="References">Events that name a stack by a key.</param>
/// <param name="Resolved">Those of them whose key has its frames in the trace.</param>
public sealed record TraceStackCounts(long Walks, long Joined, long References, long Resolved);
