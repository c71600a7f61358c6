using HangTriage.Facts;

namespace HangTriage.Rules.Threads;

/// <summary>Recognises the thread pool's workers by their stacks.</summary>
internal static class PoolWorker
{
    /// <summary>A worker that runs a work item.</summary>
    public static bool IsAtWork(ThreadFacts thread)
        => thread.Stack.Frames.Any(frame => frame.Kind == FrameKind.Managed && frame.Method is "System.Threading.ThreadPoolWorkQueue.Dispatch");

    public static bool IsBlocked(ThreadAssessment thread)
        => thread.State is ThreadActivity.WaitsForObject or ThreadActivity.WaitsForLock
            || (thread.State == ThreadActivity.Sleeping && Timeouts.InCallOf(thread.Thread) == false);

    /// <summary>It blocks until a task completes.</summary>
    public static bool WaitsForTask(ThreadFacts thread)
        => thread.Stack.Frames.Any(frame => frame.Kind == FrameKind.Managed
            && frame.Method is "System.Threading.Tasks.Task.SpinThenBlockingWait" or "System.Threading.Tasks.Task.InternalWaitCore"
                or "System.Threading.Tasks.Task.WaitAllBlockingCore");
}
