namespace HangTriage.Facts;

/// <summary>A wait that the target itself records: this thread waits on this lock.</summary>
public sealed record WaitFacts
{
    public required ThreadId Thread { get; init; }

    public required LockId Lock { get; init; }

    public required WaitKind Kind { get; init; }

    /// <summary>When the wait gives up by itself; <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> for never.</summary>
    public required Known<TimeSpan> Timeout { get; init; }

    public required Trust Trust { get; init; }

    /// <summary>Where the target records it: "ThreadBlockingInfo", "stack root of Monitor.Enter".</summary>
    public required string Source { get; init; }
}
