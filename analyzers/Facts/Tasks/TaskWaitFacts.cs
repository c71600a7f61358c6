namespace HangTriage.Facts;

/// <summary>A thread that is blocked until tasks complete: Task.Wait, Result, GetAwaiter().GetResult(), WaitAll, WaitAny.</summary>
public sealed record TaskWaitFacts
{
    public required ThreadId Thread { get; init; }

    /// <summary>The tasks that have not completed, all of which are needed. WaitAny waits for one promise that any of its tasks completes.</summary>
    public required IReadOnlyList<Address> Tasks { get; init; }

    /// <summary>When the wait gives up by itself; <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> for never.</summary>
    public required Known<TimeSpan> Timeout { get; init; }

    public required Trust Trust { get; init; }

    public required string Source { get; init; }
}
