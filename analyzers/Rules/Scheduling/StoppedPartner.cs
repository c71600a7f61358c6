using HangTriage.Facts;

namespace HangTriage.Rules.Scheduling;

/// <summary>A thread that was readied regularly and then never again, to the end of the trace.</summary>
/// <param name="Waiter">The thread.</param>
/// <param name="Wait">Its last wait.</param>
/// <param name="Usual">Who readied it.</param>
internal sealed record StoppedPartner(TraceThread Waiter, TraceWait Wait, TracePartner Usual)
{
    /// <summary>Null where the thread takes its turns, or nobody readied it regularly.</summary>
    public static StoppedPartner? Of(TraceThread thread)
        => thread is { LongestWait: { IsOpen: true } wait }
            && Partners.Usual(thread) is { } usual
            && wait.Length >= Thresholds.SilenceForLong
            && usual.LongestBetween <= MeanOf(usual) * Thresholds.RegularTurnShare
            && wait.Length >= usual.LongestBetween * Thresholds.SilenceTimes
                ? new StoppedPartner(thread, wait, usual) : null;

    /// <summary>A timer, which does not stop by itself, readied it: its turns are alike.</summary>
    public bool IsOfTimer => (Usual.IsDeferred || !Usual.Thread.HasValue)
        && Usual.LongestBetween <= MeanOf(Usual) * Thresholds.RegularShare;

    /// <summary>Who readied it, as the trace shows that thread; null where it was none.</summary>
    public TraceThread? Partner(TraceFacts trace)
        => !Usual.IsDeferred && Usual.Thread.TryGet(out ThreadId id)
            ? trace.Threads.LastOrDefault(thread => thread.OsId == id && Usual.Pid.Is(pid => thread.Pid.Is(own => own == pid))) : null;

    /// <summary>It readied others regularly, too: they wait for it.</summary>
    public bool HasOthersBehind(TraceFacts trace)
        => trace.Threads.Any(thread => thread.OsId != Waiter.OsId && Partners.Has(thread, Waiter.OsId));

    private static TimeSpan MeanOf(TracePartner partner) => (partner.Last - partner.First) / Math.Max(partner.Count - 1, 1);
}
