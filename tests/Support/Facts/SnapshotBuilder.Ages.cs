using HangTriage.Facts;
using HangTriage.Facts.Time;

namespace HangTriage.Tests.Support.Facts;

/// <content>How long something has lasted, by the target's own clocks.</content>
public sealed partial class SnapshotBuilder
{
    /// <summary>Nobody who waits for the lock has got it for so long.</summary>
    public SnapshotBuilder Starves(LockId id, TimeSpan time)
    {
        _locks[id] = _locks[id] with { Starvation = Exactly(time, "noted by the monitor") };
        return this;
    }

    /// <summary>So many wait for the lock, by its own count.</summary>
    public SnapshotBuilder WaitedForBy(LockId id, uint waiters)
    {
        _locks[id] = _locks[id] with { WaiterCount = Known.Read(waiters) };
        return this;
    }

    /// <summary>The last wait has lasted for so long.</summary>
    public SnapshotBuilder Since(TimeSpan time)
    {
        _waits[^1] = _waits[^1] with { Since = Exactly(time, "a wait's time limit") };
        return this;
    }

    /// <summary>No worker of the pool has taken anything for so long.</summary>
    public SnapshotBuilder NothingTaken(TimeSpan time)
    {
        _pool = _pool! with { LastTaken = Exactly(time, "noted by the thread pool") };
        return this;
    }

    /// <summary>A timer has been due for so long.</summary>
    public SnapshotBuilder Overdue(TimeSpan time)
    {
        _pool = _pool! with { Overdue = new OverdueTimers(1, Exactly(time, "noted by a timer")) };
        return this;
    }

    private static Age Exactly(TimeSpan time, string source) => new(time, time, source);
}
