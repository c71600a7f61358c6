using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Timers;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Clock;

/// <summary>When a timer was set, and when it is due (TimerQueueTimer._startTicks and _dueTime, in milliseconds).</summary>
/// <remarks>
/// dotnet/runtime: Timer.cs, TimerQueue.Windows.cs; tried on .NET 8, 9 and 10. On Windows the clock of timers stands still while
/// the machine sleeps.
/// </remarks>
internal readonly record struct SetTimer(TimeSpan SetAt, TimeSpan DueAt)
{
    /// <summary>What tells the age of what a timer bounds.</summary>
    public const string Source = "noted by the timer";

    private const uint NotSet = uint.MaxValue;
    private const long MostMilliseconds = long.MaxValue / TimeSpan.TicksPerMillisecond / 2;

    /// <summary>Null where it is not set, and where that is not in the input.</summary>
    public static SetTimer? Of(ClrObject timer)
    {
        if (!PendingTimers.IsTimer(timer) || !Pool.Fields.Read<long>(timer, "_startTicks").TryGet(out long start)
            || start is <= 0 or >= MostMilliseconds || timer.Number("_dueTime") is not { } due || unchecked((uint)due) == NotSet)
        {
            return null;
        }

        TimeSpan setAt = TimeSpan.FromMilliseconds(start);
        return new SetTimer(setAt, setAt + TimeSpan.FromMilliseconds(unchecked((uint)due)));
    }
}
