namespace HangTriage.Facts;

/// <summary>The time from an earlier sample to the one that is judged.</summary>
internal static class TimeBetween
{
    private const string What = "time between the captures";

    // Processor times are counted in ticks of the system's clock.
    private static readonly TimeSpan s_tolerance = TimeSpan.FromMilliseconds(100);

    /// <summary>Derived from the clocks of both; else assumed of the files' times, where nothing contradicts them.</summary>
    public static Known<TimeSpan> Of(ProcessSnapshot last, ProcessSnapshot earlier)
    {
        if (ByClocks(last.Target, earlier.Target) is { } measured)
        {
            return Known.Derived(measured);
        }

        if (!last.Target.CapturedAt.TryGet(out DateTimeOffset now) || !earlier.Target.CapturedAt.TryGet(out DateTimeOffset then))
        {
            return Known.Unknown<TimeSpan>(What, "when a capture was taken is not known");
        }

        TimeSpan assumed = now - then;
        return assumed <= TimeSpan.Zero ? Known.Unknown<TimeSpan>(What, "the times of the files contradict the order that was given")
            : HasUsedMore(last, earlier, assumed) ? Known.Unknown<TimeSpan>(What, "the times of the files contradict the processor times: a thread has used more than that")
            : Known<TimeSpan>.Of(assumed, Trust.Assumed);
    }

    /// <summary>Null where a sample records no time of its own; the time of a file puts nothing in order, since copies have times of their own.</summary>
    public static TimeSpan? ByClocks(TargetFacts now, TargetFacts then) => HasClock(now) && HasClock(then) ? now.CapturedAt.Value - then.CapturedAt.Value : null;

    /// <summary>The target records when it was captured.</summary>
    public static bool HasClock(TargetFacts target) => target.CapturedAt is { HasValue: true, Trust: not Trust.Assumed };

    private static bool HasUsedMore(ProcessSnapshot last, ProcessSnapshot earlier, TimeSpan between)
    {
        Dictionary<ThreadId, TimeSpan> used = [];
        foreach (ThreadFacts thread in ThreadsOf(earlier))
        {
            if (thread.Cpu.TryGet(out CpuTime? cpu))
            {
                used.TryAdd(thread.OsId, cpu.Total());
            }
        }

        return ThreadsOf(last).Any(thread => used.TryGetValue(thread.OsId, out TimeSpan then)
            && thread.Cpu.TryGet(out CpuTime? cpu) && cpu.Total() - then > between + s_tolerance);
    }

    private static IReadOnlyList<ThreadFacts> ThreadsOf(ProcessSnapshot sample) => sample.Threads.TryGet(out IReadOnlyList<ThreadFacts>? threads) ? threads : [];
}
