using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>The schedulers of tasks other than the thread pool's.</summary>
internal static class Schedulers
{
    /// <summary>Null for the thread pool's, and for a task without one.</summary>
    public static ClrObject Of(ClrObject task)
        => task.Reference("m_taskScheduler") is { IsNull: false, Type.Name: not "System.Threading.Tasks.ThreadPoolTaskScheduler" } scheduler ? scheduler : default;

    /// <summary>The exclusive half of a pair. Of a scheduler of the program's own nothing tells.</summary>
    public static bool RunsOneAtATime(ClrObject scheduler) => scheduler.Number("m_maxConcurrencyLevel") == 1;
}
