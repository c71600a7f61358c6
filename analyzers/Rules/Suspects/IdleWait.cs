using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Suspects;

/// <summary>Recognises the waits of healthy programs that have nothing to do.</summary>
internal static class IdleWait
{
    /// <summary>Why the thread's wait is known to be idling; null where it is not.</summary>
    public static string? Why(RuleContext context, ThreadAssessment thread)
        => thread.State switch
        {
            ThreadActivity.WaitsForMessage => "waits for the next message",
            ThreadActivity.IdlePoolWorker => "waits for work of its pool",
            ThreadActivity.Sleeping => "sleeps",
            _ when IsMain(thread.Thread) && Joins(context, thread.Thread) => "keeps the process alive until another thread ends",
            _ => thread.Thread.Stack.Frames
                .Where(frame => frame.Kind == FrameKind.Managed)
                .Select(frame => IdleCalls.Find(frame.Method)?.Reason ?? (OutsideCalls.Find(frame.Method)?.Awaits == OutsideWait.Idle ? "waits for somebody outside" : null))
                .FirstOrDefault(reason => reason is not null),
        };

    /// <summary>The thread runs a .NET program's Main. What the first thread of a native program is for, nothing tells.</summary>
    public static bool IsMain(ThreadFacts thread) => UserCode.IsUnderMain(thread.Stack.Frames);

    private static bool Joins(RuleContext context, ThreadFacts thread)
        => context.WaitsOf(thread.OsId) is { Count: > 0 } waits ? waits.All(wait => wait.Kind == WaitKind.Exit)
            : thread.Stack.Frames.Select(DotNetCalls.Find).FirstOrDefault(call => call is not null)?.Wait == WaitKind.Exit;
}
