using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Minidump;

/// <summary>The time formats of a minidump.</summary>
internal static class MinidumpTime
{
    private static readonly ulong s_maxFileTime = (ulong)DateTimeOffset.MaxValue.ToFileTime();

    /// <param name="seconds">Since 1970, UTC; 0 means that the writer did not say.</param>
    public static Known<DateTimeOffset> FromUnix(uint seconds, string what)
        => seconds == 0
            ? Known.Unknown<DateTimeOffset>(what, "the dump does not say")
            : Known.Read(DateTimeOffset.FromUnixTimeSeconds(seconds));

    /// <param name="fileTime">100 ns units since 1601, UTC; 0 means that the writer did not say.</param>
    public static Known<DateTimeOffset> FromFileTime(ulong fileTime, string what)
        => fileTime == 0 || fileTime > s_maxFileTime
            ? Known.Unknown<DateTimeOffset>(what, fileTime == 0 ? "the dump does not say" : $"the dump states 0x{fileTime:x}, which is no time")
            : Known.Read(new DateTimeOffset(DateTime.FromFileTimeUtc((long)fileTime)));

    /// <summary>A length in 100 ns units; false where it is longer than any thread can have run (a thousand years).</summary>
    public static bool TryDuration(ulong units, out TimeSpan duration)
    {
        const ulong ThousandYears = 1000UL * 366 * TimeSpan.TicksPerDay;
        duration = units <= ThousandYears ? TimeSpan.FromTicks((long)units) : default;
        return units <= ThousandYears;
    }
}
