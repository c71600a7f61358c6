using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Threads;

/// <summary>Recognises the thread pool's workers by their stacks.</summary>
internal static class PoolWorker
{
    /// <summary>A worker that runs a work item.</summary>
    public static bool IsAtWork(ThreadFacts thread)
        => thread.Stack.Frames.Any(frame => frame.Kind == FrameKind.Managed && DotNetCalls.Find(frame)?.Meaning == CallMeaning.RunsWorkItem);

    public static bool IsBlocked(ThreadAssessment thread)
        => thread.State is ThreadActivity.WaitsForObject or ThreadActivity.WaitsForLock
            || (thread.State == ThreadActivity.Sleeping && Timeouts.InCallOf(thread.Thread) == false);

    /// <summary>
    /// It spins before it sleeps on something: what for is recorded, or its stack says that it is a task's end, or others of the workers sleep
    /// in the same method of the program. On a busy machine a quarter of all that start to wait can be caught so.
    /// </summary>
    /// <param name="context">The case.</param>
    /// <param name="thread">The worker.</param>
    /// <param name="asleep">The methods of the program in which other workers are blocked.</param>
    public static bool SpinsBeforeWait(RuleContext context, ThreadAssessment thread, IReadOnlySet<string> asleep)
        => thread.State is ThreadActivity.Yielding or ThreadActivity.Sleeping
            && (context.FindTaskWait(thread.Thread.OsId) is not null
                || context.WaitsOf(thread.Thread.OsId).Count > 0
                || WaitsForTask(thread.Thread)
                || (thread.State == ThreadActivity.Yielding && MethodOf(thread) is { } method && asleep.Contains(method)));

    /// <summary>The innermost method of the program on its stack; null where there is none.</summary>
    public static string? MethodOf(ThreadAssessment thread) => UserCode.In(thread.Thread)?.Method;

    /// <summary>It blocks until a task completes, as its stack says: whichever of the calls that do so were compiled into others.</summary>
    public static bool WaitsForTask(ThreadFacts thread)
        => thread.Stack.Frames
            .Where(frame => frame.Kind == FrameKind.Managed)
            .TakeWhile(frame => !UserCode.IsManaged(frame))
            .Select(frame => TaskCalls.Find(frame.Method)?.Meaning)
            .TakeWhile(meaning => meaning != CallMeaning.RunsTask)
            .Any(meaning => meaning is CallMeaning.BlocksOnTask or CallMeaning.WaitsForTask);
}
