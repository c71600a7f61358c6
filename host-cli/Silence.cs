namespace HangTriage.Cli;

/// <summary>
/// How long a worker has been silent while code that may never return was at work. Counted in ticks of the supervisor, not by
/// a clock: no tick comes while both are stopped (Ctrl-Z, a machine that sleeps), and a busy machine delays both.
/// </summary>
/// <param name="limit">As long as it may be.</param>
internal sealed class Silence(TimeSpan limit)
{
    // Null while nothing is at work that may never return.
    private TimeSpan? _lasted;

    public static TimeSpan Tick { get; } = TimeSpan.FromSeconds(1);

    public bool IsTooLong => _lasted >= limit;

    public void Hear(Sign sign) => _lasted = sign == Sign.Begin || (sign == Sign.Step && _lasted is not null) ? TimeSpan.Zero : null;

    /// <summary>A tick has passed without a sign.</summary>
    public void Grow() => _lasted += Tick;
}
