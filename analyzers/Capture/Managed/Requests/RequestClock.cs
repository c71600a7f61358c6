using System.Runtime.InteropServices;
using HangTriage.Capture.Managed.Clock;
using HangTriage.Capture.Managed.Locks;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts.Time;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Requests;

/// <summary>
/// Says how old requests are. The web server looks at its connections each second and notes when: that is a lower bound of the capture,
/// often narrower than the others. The judgement does not rest on it.
/// </summary>
internal sealed class RequestClock
{
    private const long NanosecondsPerTick = 100;

    private readonly ClockFacts? _ofTimers;
    private readonly ClockFacts? _ticks;
    private readonly CalendarClock? _calendar;

    /// <param name="runtime">The runtime.</param>
    /// <param name="ofTimers">The moment of the capture on the clock of timers; null where it is not known.</param>
    /// <param name="protocols">The objects that the server works on requests with.</param>
    public RequestClock(ClrRuntime runtime, ClockFacts? ofTimers, IEnumerable<ClrObject> protocols)
    {
        _ofTimers = ofTimers;
        if (runtime.DataTarget.DataReader.TargetPlatform != OSPlatform.Linux)
        {
            // Stopwatch has an origin of its own there.
            return;
        }

        (TimeSpan Looked, ClrObject Protocol) last = protocols
            .Select(protocol => (Looked: RequestObject.LastLook(protocol) is { } ticks ? OfStopwatch(ticks) : TimeSpan.Zero, protocol))
            .Where(look => !(look.Looked > ofTimers?.AtMost))
            .DefaultIfEmpty()
            .MaxBy(look => look.Looked);
        _ticks = last.Looked <= TimeSpan.Zero ? ofTimers
            : ofTimers is null ? new ClockFacts(last.Looked, null, [])
            : last.Looked > ofTimers.AtLeast ? ofTimers with { AtLeast = last.Looked } : ofTimers;
        _ofTimers = _ticks;
        _calendar = last.Looked > TimeSpan.Zero ? CalendarClock.Of(runtime, last.Looked, RequestObject.DateHeader(last.Protocol)) : null;
    }

    /// <summary>By the first source that tells; null where none does.</summary>
    public Age? Of(ClrObject holder)
        => holder.IsNull ? null
            : StartSource.All.Where(source => StackObjects.Is(holder, source.Type))
                .Select(source => Of(holder, source)).FirstOrDefault(age => age is not null);

    private Age? Of(ClrObject holder, StartSource source)
    {
        ClrObject last = holder;
        foreach (string field in source.Unit == StartUnit.Timer ? [] : source.Path.SkipLast(1))
        {
            last = last.Reference(field);
        }

        return last.IsNull ? null : source.Unit switch
        {
            StartUnit.StopwatchTicks => _ticks is { } clock
                && Pool.Fields.Read<long>(last, source.Path[^1]).TryGet(out long ticks) && ticks > 0
                ? Ages.Of(clock, OfStopwatch(ticks), source.Words)
                : null,
            StartUnit.Utc => _ticks is { } clock && _calendar is { } calendar
                && Pool.Fields.Read<ulong>(last, source.Path[^1], "_dateData").TryGet(out ulong date) && date != 0
                ? calendar.Age(clock, date, source.Words)
                : null,
            _ => _ofTimers is { } clock && SetTimer.Of(PendingTimers.Behind(last)) is { } timer
                ? Ages.Of(clock, timer.SetAt, source.Words)
                : null,
        };
    }

    private static TimeSpan OfStopwatch(long ticks) => TimeSpan.FromTicks(ticks / NanosecondsPerTick);
}
