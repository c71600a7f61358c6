using HangTriage.Facts;
using HangTriage.Facts.Calls;

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
    /// It was caught in the pool's own code while it takes an item or puts one away: what it has in hand is in none of the pool's queues,
    /// and may be in a register alone.
    /// </summary>
    public static bool IsBetweenItems(ThreadAssessment thread)
        => thread.State == ThreadActivity.Running && IsAtWork(thread.Thread) && MethodOf(thread) is null;

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
