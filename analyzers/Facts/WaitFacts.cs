using HangTriage.Facts.Time;

namespace HangTriage.Facts;

/// <summary>A wait that the target itself records: this thread waits on this lock.</summary>
public sealed record WaitFacts
{
    public required ThreadId Thread { get; init; }

    public required LockId Lock { get; init; }

    public required WaitKind Kind { get; init; }

    /// <summary>
    /// Where one call waits for several things, whether it needs all of them or any. Such a call has one wait for each
    /// thing; null where it waits for nothing else.
    /// </summary>
    public WaitMode? Mode { get; init; }

    /// <summary>For <see cref="WaitKind.Exit"/>: the thread whose end is waited for; null where it is a process or is not known.</summary>
    public ThreadId? TargetThread { get; init; }

    /// <summary>For <see cref="WaitKind.Exit"/>: the process that ends, or that <see cref="TargetThread"/> is in; null where that is not known.</summary>
    public uint? TargetProcess { get; init; }

    /// <summary>For a handle of the system: the object of .NET that has it; null where none was found, and for other locks.</summary>
    public Address? Handle { get; init; }

    /// <summary>Who can still end the wait; null where that was not followed.</summary>
    public WaitReach? Reach { get; init; }

    /// <summary>When the wait gives up by itself; <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> for never.</summary>
    public required Known<TimeSpan> Timeout { get; init; }

    /// <summary>How long the thread has waited; null where nothing tells.</summary>
    public Age? Since { get; init; }

    public required Trust Trust { get; init; }

    /// <summary>Where the target records it: "ThreadBlockingInfo", "register rbx of RtlEnterCriticalSection".</summary>
    public required string Source { get; init; }
}
