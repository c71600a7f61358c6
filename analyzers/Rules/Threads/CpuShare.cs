using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>How much processor time a thread has used, and which part of its life that is.</summary>
/// <param name="Time">Processor time since the thread started.</param>
/// <param name="Life">From the thread's start to the capture; a gap where either is not recorded.</param>
internal sealed record CpuShare(CpuTime Time, Known<TimeSpan> Life)
{
    /// <summary>Processor time over life; null where the life is not known or has no length.</summary>
    public double? Share => Life.TryGet(out TimeSpan life) && life > TimeSpan.Zero ? Time.Total() / life : null;

    /// <summary>For how long it was ready and others had the processors; null where that is not recorded.</summary>
    public TimeSpan? Ready { get; init; }

    /// <summary>
    /// It ran or wanted to run for much of its life: where many compete for the processors, its own time does not show that.
    /// </summary>
    public bool WantsProcessor
        => Ready is { } ready && Time.Total() + ready is var wanted && wanted >= Thresholds.LeastCpu
            && Life.TryGet(out TimeSpan life) && life > TimeSpan.Zero && wanted >= life * Thresholds.BusyShare;

    /// <summary>Enough to say anything about the thread.</summary>
    public bool IsMuch => Time.Total() >= Thresholds.LeastCpu;

    /// <summary>It has used nearly all of what its process has used; false where that is not known.</summary>
    public bool Dominates(TimeSpan? process) => process is { } all && Time.Total() >= all * Thresholds.DominantShare;

    /// <summary>
    /// The thread has been busy for much of its life, or for some of it and nobody else in the process was. Without a
    /// life, for more than half of all that the process has used.
    /// </summary>
    public bool IsBusy(TimeSpan? process)
        => IsMuch && (Share is { } share
            ? share >= Thresholds.BusyShare || (share >= Thresholds.CrowdedShare && Dominates(process))
            : Time.Total() > process * Thresholds.ShareWithoutLife);

    public static Known<CpuShare> Of(ThreadFacts thread, TargetFacts target)
        => thread.Cpu.Select(time => new CpuShare(time, LifeOf(thread, target)) { Ready = thread.Kernel?.Ready });

    /// <summary>From the thread's start to the capture; a gap where either is not recorded.</summary>
    public static Known<TimeSpan> LifeOf(ThreadFacts thread, TargetFacts target)
        => (thread.StartedAt.TryGet(out DateTimeOffset start), target.CapturedAt.TryGet(out DateTimeOffset end)) switch
        {
            (false, _) => Known<TimeSpan>.Unknown(thread.StartedAt.Gap!),
            (_, false) => Known<TimeSpan>.Unknown(target.CapturedAt.Gap!),
            _ when end < start => Known.Unknown<TimeSpan>("life of the thread", "it started after the capture, by the clocks recorded"),
            _ => Known<TimeSpan>.Of(end - start, target.CapturedAt.Trust == Trust.Assumed ? Trust.Assumed : Trust.Derived),
        };
}
