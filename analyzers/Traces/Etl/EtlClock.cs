namespace HangTriage.Traces.Etl;

/// <summary>Turns a session's clock into time since the trace's first event, in steps of 100 ns.</summary>
internal sealed class EtlClock(EtlLogHeader header, long first)
{
    /// <summary>Beyond it a time is damage, in ticks of 100 ns: some 28 years.</summary>
    private const long Longest = TimeSpan.TicksPerDay * 10_000;

    /// <summary>What the session's start is in world time; null where the file does not say it sensibly.</summary>
    public DateTimeOffset? Start { get; } = StartOf(header);

    /// <summary>Time since the log header's event; negative for events before it. Null for a time that is damage.</summary>
    public TimeSpan? Since(long time)
    {
        long ticks = unchecked(time - first);
        if ((ticks < 0) != (time < first) || ticks / header.Frequency > Longest / TimeSpan.TicksPerSecond || ticks / header.Frequency < -Longest / TimeSpan.TicksPerSecond)
        {
            return null;
        }

        (long seconds, long rest) = Math.DivRem(ticks, header.Frequency);
        return new TimeSpan((seconds * TimeSpan.TicksPerSecond) + Fraction(rest));
    }

    private long Fraction(long rest)
        => header.Frequency == TimeSpan.TicksPerSecond ? rest : (long)((Int128)rest * TimeSpan.TicksPerSecond / header.Frequency);

    private static DateTimeOffset? StartOf(EtlLogHeader header)
    {
        try
        {
            return header.StartTime > 0 ? DateTimeOffset.FromFileTime(header.StartTime).ToUniversalTime() : null;
        }
        catch (ArgumentOutOfRangeException)
        {
            return null;
        }
    }
}
