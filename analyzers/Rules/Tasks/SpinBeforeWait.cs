using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>What .NET does for some microseconds before a thread sleeps.</summary>
internal static class SpinBeforeWait
{
    /// <summary>
    /// A worker spins before it sleeps on something: what for is recorded, or its stack says that it is a task's end, or others of the
    /// workers sleep in the same method of the program. On a busy machine a quarter of all that start to wait can be caught so.
    /// </summary>
    /// <param name="context">The case.</param>
    /// <param name="thread">The worker.</param>
    /// <param name="asleep">The methods of the program in which other workers are blocked.</param>
    public static bool Is(RuleContext context, ThreadAssessment thread, IReadOnlySet<string> asleep)
        => thread.State is ThreadActivity.Yielding or ThreadActivity.Sleeping
            && (context.FindTaskWait(thread.Thread.OsId) is not null
                || context.WaitsOf(thread.Thread.OsId).Count > 0
                || PoolWorker.WaitsForTask(thread.Thread)
                || (thread.State == ThreadActivity.Yielding && PoolWorker.MethodOf(thread) is { } method && asleep.Contains(method)));
}
