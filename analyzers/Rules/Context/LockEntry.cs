using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Threads that are about to take a lock.</summary>
internal static class LockEntry
{
    /// <summary>
    /// The thread is in the code that takes a lock, on a processor, and nothing records that it waits: it may have the
    /// lock at once. One that finds it taken asks the system to wait some microseconds later.
    /// </summary>
    public static bool IsUnderWay(RuleContext context, ThreadAssessment thread)
        => thread is { State: ThreadActivity.WaitsForLock, Thread.IsInSystemCall: { } isInside }
            && isInside.Is(inside => !inside)
            && context.Graph.From(WaitNode.Of(thread.Thread.OsId)).Count == 0;

    /// <summary>The thread waits in native code for a lock that could not be found.</summary>
    // A managed thread that enters a monitor and is not yet blocked on it has no wait on record; it may continue at once.
    public static bool IsOfUnknownLock(RuleContext context, ThreadAssessment thread)
        => thread is { State: ThreadActivity.WaitsForLock, Frame.Kind: FrameKind.Native }
            && context.Graph.From(WaitNode.Of(thread.Thread.OsId)).Count == 0
            && !IsUnderWay(context, thread);
}
