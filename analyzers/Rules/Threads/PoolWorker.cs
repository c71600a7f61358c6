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

    /// <summary>It blocks until a task completes.</summary>
    public static bool WaitsForTask(ThreadFacts thread)
        => thread.Stack.Frames.Any(frame => frame.Kind == FrameKind.Managed
            && TaskCalls.Find(frame.Method)?.Meaning == CallMeaning.BlocksOnTask);
}
