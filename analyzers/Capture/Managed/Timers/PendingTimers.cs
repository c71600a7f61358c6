using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Timers;

/// <summary>The timers that are set (System.Threading.TimerQueue), and the tasks that they complete.</summary>
internal static class PendingTimers
{
    public static bool IsTimer(ClrObject target) => target.Type?.Name == "System.Threading.TimerQueueTimer";

    /// <summary>An item for a thread pool that lets all timers of a queue fire that are due.</summary>
    public static bool IsQueue(ClrObject target) => target.Type?.Name == "System.Threading.TimerQueue";

    /// <summary>The timer of a promise or of a source of tokens, out of the Timer that wraps it; the null object where none is set.</summary>
    public static ClrObject Behind(ClrObject holder)
    {
        ClrObject timer = holder.Reference("_timer");
        ClrObject queued = timer.Reference("_timer");
        return queued.IsNull ? timer : queued;
    }

    /// <summary>
    /// What it does when it fires is to cancel a token, or to complete a task: whatever leads there waits for no more than that. Any other
    /// one runs code, which may leave alone what it could get at.
    /// </summary>
    public static bool EndsWaits(ClrObject timer)
        => timer.Reference("_state") is { IsNull: false } state
            && (TaskObject.IsTask(state) || TokenSources.Is(state.Type));

    public static TaskNeedFacts Need(ClrObject timer) => new()
    {
        Kind = TaskNeedKind.Timer,
        SetFor = timer.Number("_dueTime") is int due and not -1 ? TimeSpan.FromMilliseconds((uint)due) : null,
        Trust = IsTimer(timer) ? Trust.Read : Trust.Derived,
        Source = "timer",
    };

    public static IEnumerable<ClrObject> Of(ClrRuntime runtime, CaptureContext context)
    {
        ClrStaticField? instances = runtime.BaseClassLibrary?.GetTypeByName("System.Threading.TimerQueue")?.StaticFields
            .FirstOrDefault(field => field.Name is "<Instances>k__BackingField" or "s_instances");
        foreach (ClrAppDomain domain in instances is null ? [] : runtime.AppDomains)
        {
            foreach (ClrObject queue in instances!.ReadObject(domain).Elements(context.Limits.Threads))
            {
                foreach (ClrObject first in new[] { queue.Reference("_shortTimers"), queue.Reference("_longTimers") })
                {
                    int count = 0;
                    for (ClrObject timer = first; !timer.IsNull && count++ < context.Limits.Tasks; timer = timer.Reference("_next"))
                    {
                        context.Step();
                        yield return timer;
                    }
                }
            }
        }
    }
}
