using HangTriage.Facts.Time;

namespace HangTriage.Capture.Managed.Clock;

/// <summary>How old a time is that the target has noted.</summary>
internal static class Ages
{
    // A time that was noted after the lower bound of the clock looks as old as the count can be.
    private static readonly TimeSpan s_ahead = TimeSpan.FromSeconds(20);

    /// <summary>Null for a time that is later than the capture.</summary>
    public static Age? Of(ClockFacts clock, TimeSpan noted, string source)
        => noted <= TimeSpan.Zero || noted > clock.AtMost ? null
            : new Age(Positive(clock.AtLeast - noted), clock.AtMost - noted, source);

    /// <summary>The same of a count of milliseconds that starts anew.</summary>
    /// <param name="clock">The moment of the capture.</param>
    /// <param name="noted">The count.</param>
    /// <param name="bits">How many bits it has. Of less than 32 there is no upper bound: it may have gone round.</param>
    /// <param name="source">What noted it.</param>
    public static Age? OfCount(ClockFacts clock, uint noted, int bits, string source)
    {
        if (clock.AtMost is not { } most || most - clock.AtLeast > s_ahead)
        {
            return null;
        }

        TimeSpan least = Since(clock.AtLeast, noted, bits);
        bool isAhead = least > Round(bits) - s_ahead;
        return new Age(isAhead ? TimeSpan.Zero : least, bits < 32 ? null : Since(most, noted, bits), source);
    }

    /// <summary>Zero for one that is negative.</summary>
    public static TimeSpan Positive(TimeSpan span) => span < TimeSpan.Zero ? TimeSpan.Zero : span;

    private static TimeSpan Since(TimeSpan now, uint noted, int bits)
        => TimeSpan.FromMilliseconds(unchecked((uint)(long)now.TotalMilliseconds - noted) & (uint)((1UL << bits) - 1));

    private static TimeSpan Round(int bits) => TimeSpan.FromMilliseconds(1L << bits);
}
