using System.Globalization;
using HangTriage.Capture.Managed.Clock;
using HangTriage.Facts.Time;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Requests;

/// <summary>
/// The calendar beside the runtime's own clock: how far the two were apart when the first timer was made, and how far they are now. What
/// lies between is what the calendar may have been set by since.
/// </summary>
/// <param name="Apart">UTC less the runtime's clock, as ticks since the year 1, when the first timer was made.</param>
/// <param name="SetBackBy">By how much at most it has been set back since; never negative.</param>
/// <param name="SetForwardBy">The same forward.</param>
internal sealed record CalendarClock(TimeSpan Apart, TimeSpan SetBackBy, TimeSpan SetForwardBy)
{
    private const long TicksMask = 0x3FFF_FFFF_FFFF_FFFF;
    private const long MostMilliseconds = int.MaxValue * 1_000L;

    // The server renews its Date header, which has whole seconds, and looks at its connections in one go.
    private static readonly TimeSpan s_second = TimeSpan.FromSeconds(1);

    /// <summary>Null where the target has not noted both clocks twice: what was set since is unknown then, and may be any time.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="looked">When the server last looked at its connections, on the runtime's clock.</param>
    /// <param name="date">Its Date header of that time.</param>
    public static CalendarClock? Of(ClrRuntime runtime, TimeSpan looked, string? date)
        => AtFirstTimer(runtime) is { } apart ? Of(apart, looked, date) : null;

    /// <summary>The same, where what they were apart at first is known.</summary>
    internal static CalendarClock? Of(TimeSpan apart, TimeSpan looked, string? date)
    {
        if (!DateTime.TryParseExact(date, "r", CultureInfo.InvariantCulture, DateTimeStyles.None, out DateTime told))
        {
            return null;
        }

        TimeSpan now = new TimeSpan(told.Ticks) - looked;
        return new CalendarClock(apart, Ages.Positive(apart - (now - s_second)), Ages.Positive(now + s_second + s_second - apart));
    }

    /// <summary>How old a time of the calendar is; null for one that is later than the capture.</summary>
    /// <param name="clock">The moment of the capture on the runtime's clock.</param>
    /// <param name="noted">A DateTime as it is in memory.</param>
    /// <param name="source">What noted it.</param>
    public Age? Age(ClockFacts clock, ulong noted, string source)
    {
        TimeSpan start = new TimeSpan((long)noted & TicksMask) - Apart;
        return start <= TimeSpan.Zero || start - SetForwardBy > clock.AtMost ? null
            : new Age(Ages.Positive(clock.AtLeast - start - SetBackBy), clock.AtMost - start + SetForwardBy, source);
    }

    // dotnet/runtime: TimerQueue.cs; (milliseconds, UTC) of one moment, noted when the first timer is made.
    private static TimeSpan? AtFirstTimer(ClrRuntime runtime)
    {
        if (runtime.BaseClassLibrary?.GetTypeByName("System.Threading.TimerQueue") is not { } queue
            || queue.GetStaticFieldByName("s_tickCountToTimeMap") is not { } field)
        {
            return null;
        }

        foreach (ClrAppDomain domain in runtime.AppDomains)
        {
            // Of a generic type ClrMD does not know that the second part is a structure.
            ClrValueType pair = field.ReadStruct(domain);
            if (pair.IsValid && Word(runtime, pair, "Item1") is > 0 and < MostMilliseconds and { } ticks
                && Word(runtime, pair, "Item2") is { } noted && (noted & TicksMask) is { } date
                && date > TimeSpan.FromMilliseconds(ticks).Ticks && date <= DateTime.MaxValue.Ticks)
            {
                return new TimeSpan(date) - TimeSpan.FromMilliseconds(ticks);
            }
        }

        return null;
    }

    private static long? Word(ClrRuntime runtime, ClrValueType pair, string name)
        => pair.Type?.GetFieldByName(name) is { } part
            && runtime.DataTarget.DataReader.Read(part.GetAddress(pair.Address, interior: true), out long word)
                ? word
                : null;
}
