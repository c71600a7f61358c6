namespace HangTriage.Traces.Timeline;

/// <summary>What a process's .NET runtime says while the trace is read.</summary>
internal sealed class RuntimeLine
{
    /// <summary>Different waits of one process for locks that are kept.</summary>
    private const int MostContentions = 1000;

    private readonly Dictionary<(uint Waiter, uint Owner, ulong Lock), ContentionCount> _contentions = [];
    private readonly Dictionary<uint, (ContentionCount Count, long Since)> _waiting = [];

    private readonly Dictionary<(uint Waiter, byte Source), ContentionCount> _handleWaits = [];
    private readonly Dictionary<uint, (ContentionCount Count, long Since)> _atHandles = [];

    public int? PoolWorkers { get; set; }

    public long Adjustments { get; set; }

    public long Starvations { get; set; }

    public long Suspensions { get; set; }

    public long Suspended { get; set; }

    public long LongestSuspension { get; set; }

    public long? SuspendingSince { get; set; }

    public IReadOnlyDictionary<(uint Waiter, uint Owner, ulong Lock), ContentionCount> Contentions => _contentions;

    /// <summary>Waits that are not for a lock of .NET, by thread and by what they began in (the runtime's WaitHandleWaitSource).</summary>
    public IReadOnlyDictionary<(uint Waiter, byte Source), ContentionCount> HandleWaits => _handleWaits;

    /// <param name="waiter">The thread that waits.</param>
    /// <param name="owner">The owner's thread id; 0 where it is not recorded.</param>
    /// <param name="lockId">The lock; 0 where it is not recorded.</param>
    /// <param name="now">In steps of 100 ns from the window's start.</param>
    public void Contend(uint waiter, uint owner, ulong lockId, long now)
    {
        if (!_contentions.TryGetValue((waiter, owner, lockId), out ContentionCount? count))
        {
            if (_contentions.Count >= MostContentions)
            {
                return;
            }

            _contentions.Add((waiter, owner, lockId), count = new ContentionCount());
        }

        count.Count++;
        _waiting[waiter] = (count, now);
    }

    public void Wait(uint waiter, byte source, long now)
    {
        if (!_handleWaits.TryGetValue((waiter, source), out ContentionCount? count))
        {
            if (_handleWaits.Count >= MostContentions)
            {
                return;
            }

            _handleWaits.Add((waiter, source), count = new ContentionCount());
        }

        count.Count++;
        _atHandles[waiter] = (count, now);
    }

    public void EndWait(uint waiter, long now)
    {
        if (_atHandles.Remove(waiter, out (ContentionCount Count, long Since) wait))
        {
            wait.Count.Longest = Math.Max(wait.Count.Longest ?? 0, now - wait.Since);
        }
    }

    public void EndContention(uint waiter, long now)
    {
        if (_waiting.Remove(waiter, out (ContentionCount Count, long Since) wait))
        {
            wait.Count.Longest = Math.Max(wait.Count.Longest ?? 0, now - wait.Since);
        }
    }

    public void EndSuspension(long now)
    {
        if (SuspendingSince is { } since)
        {
            Suspensions++;
            Suspended += now - since;
            LongestSuspension = Math.Max(LongestSuspension, now - since);
            SuspendingSince = null;
        }
    }
}
