using System.Runtime.CompilerServices;

namespace HangTriage.Traces.Etl;

/// <summary>Turns a session's clock into time since the trace's first event, in steps of 100 ns.</summary>
internal sealed class EtlClock(EtlLogHeader header, long first)
{
    /// <summary>Beyond it a time is damage, in ticks of 100 ns: some 28 years.</summary>
    private const long Longest = TimeSpan.TicksPerDay * 10_000;

    private readonly long _most = (long)Int128.Min((Int128)header.Frequency * (Longest / TimeSpan.TicksPerSecond), long.MaxValue);

    /// <summary>What the session's start is in world time; null where the file does not say it sensibly.</summary>
    public DateTimeOffset? Start { get; } = StartOf(header);

    /// <summary>Time since the log header's event; negative for events before it. False for a time that is damage.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TrySince(long time, out TimeSpan since)
    {
        long ticks = unchecked(time - first);
        since = new TimeSpan(header.Frequency == TimeSpan.TicksPerSecond ? ticks : Steps(ticks));
        return (ticks < 0) == (time < first) && ticks <= _most && ticks >= -_most;
    }

    /// <summary>Steps of 100 ns. A part of a second has at most 10^11 ticks: a product with 10^7 fits.</summary>
    private long Steps(long ticks)
    {
        if (ticks is >= 0 and < long.MaxValue / TimeSpan.TicksPerSecond)
        {
            return ticks * TimeSpan.TicksPerSecond / header.Frequency;
        }

        (long seconds, long rest) = Math.DivRem(ticks, header.Frequency);
        return unchecked(seconds * TimeSpan.TicksPerSecond) + (rest * TimeSpan.TicksPerSecond / header.Frequency);
    }

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
