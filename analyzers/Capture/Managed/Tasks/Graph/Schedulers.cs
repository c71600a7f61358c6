using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>The schedulers of tasks other than the thread pool's.</summary>
internal static class Schedulers
{
    /// <summary>Null for the thread pool's, and for a task without one.</summary>
    public static ClrObject Of(ClrObject task)
        => task.Reference("m_taskScheduler") is { IsNull: false, Type.Name: not "System.Threading.Tasks.ThreadPoolTaskScheduler" } scheduler ? scheduler : default;

    /// <summary>What the tasks of the scheduler take turns by: the pair whose half it is, else the scheduler itself.</summary>
    public static ClrObject TurnsOf(ClrObject scheduler) => scheduler.Reference("m_pair") is { IsNull: false } pair ? pair : scheduler;

    /// <summary>How many tasks the half of a pair runs at once, or what a scheduler is told by its own field; null where nothing tells.</summary>
    public static int? MostAtOnce(ClrObject scheduler) => scheduler.Number("m_maxConcurrencyLevel") is int most and > 0 ? most : null;

    /// <summary>The exclusive half of a pair. Of a scheduler of the program's own nothing tells.</summary>
    public static bool RunsOneAtATime(ClrObject scheduler) => MostAtOnce(scheduler) == 1;
}
