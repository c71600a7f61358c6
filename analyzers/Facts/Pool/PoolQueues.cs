namespace HangTriage.Facts;

/// <summary>The lengths of a thread pool's queues.</summary>
/// <param name="Common">Items that came from outside the pool, or that no worker prefers.</param>
/// <param name="HighPriority">Items that go first, such as those of workers that blocked.</param>
/// <param name="LowPriority">Items that go last.</param>
/// <param name="Local">Items that workers queued for themselves; others can steal them.</param>
public sealed record PoolQueues(uint Common, uint HighPriority, uint LowPriority, uint Local)
{
    public uint Total() => Common + HighPriority + LowPriority + Local;
}
