namespace HangTriage.Facts;

/// <summary>A queue that async methods wait for, at one of its two ends.</summary>
/// <param name="Waits">Which end the method waits at.</param>
/// <param name="Used">How many items, or for a pipe bytes, are in it; null where that is not known.</param>
/// <param name="Capacity">How many make writers wait; null for a queue without bound, and where that is not known.</param>
/// <param name="IsClosed">It was completed for writing: nothing more will come. Null where that is not known.</param>
public sealed record FlowQueue(FlowQueueEnd Waits, long? Used, long? Capacity, bool? IsClosed);
