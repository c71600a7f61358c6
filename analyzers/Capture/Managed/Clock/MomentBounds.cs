using HangTriage.Facts;
using HangTriage.Facts.Time;

namespace HangTriage.Capture.Managed.Clock;

/// <summary>
/// Narrows down the moment of the capture on the clock that the runtime counts its own times on: whatever was noted in the target was noted
/// before, and a wait that has not given up was to last longer.
/// </summary>
internal sealed class MomentBounds
{
    // A thread whose time is up has still to be woken, and who writes a dump stops one thread after the other.
    private static readonly TimeSpan s_late = TimeSpan.FromMilliseconds(250);

    private (TimeSpan Moment, string Source)? _notBefore;
    private (TimeSpan Moment, string Source)? _notAfter;

    /// <summary>Null where nothing told the time; a gap where what told it contradicts itself.</summary>
    public Known<ClockFacts>? Read()
        => _notBefore is not { } low ? null
            : _notAfter is not { } high ? Known.Derived(new ClockFacts(low.Moment, null, [low.Source]))
            : high.Moment < low.Moment
                ? Known.Unknown<ClockFacts>("time of the capture", $"two clocks contradict each other: {low.Source} and {high.Source}")
            : Known.Derived(new ClockFacts(low.Moment, high.Moment, [low.Source, high.Source]));

    public void NotBefore(TimeSpan moment, string source)
    {
        if (moment > TimeSpan.Zero && (_notBefore is not { } known || moment > known.Moment))
        {
            _notBefore = (moment, source);
        }
    }

    /// <summary>A clock of the system tells it.</summary>
    public void Is(TimeSpan moment, string source)
    {
        NotBefore(moment, source);
        BeforeEnd(moment, source);
    }

    /// <param name="end">When a thread would have given its wait up.</param>
    /// <param name="source">What tells that.</param>
    public void BeforeEnd(TimeSpan end, string source)
    {
        if (_notAfter is not { } known || end + s_late < known.Moment)
        {
            _notAfter = (end + s_late, source);
        }
    }
}
