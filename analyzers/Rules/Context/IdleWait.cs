using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Recognises the waits of healthy programs that have nothing to do.</summary>
internal static class IdleWait
{
    /// <summary>Why the thread's wait is known to be idling; null where it is not.</summary>
    public static string? Why(RuleContext context, ThreadAssessment thread)
        => thread.State switch
        {
            ThreadActivity.WaitsForMessage => "waits for the next message",
            ThreadActivity.IdlePoolWorker => "waits for work of its pool",
            ThreadActivity.Sleeping or ThreadActivity.Yielding or ThreadActivity.Running when context.Polls.IsStuck(thread.Thread.OsId) => null,
            ThreadActivity.Sleeping when OutsideCall.In(thread.Thread.Stack.Frames) is null => "sleeps",
            _ when OutsideCall.In(thread.Thread.Stack.Frames)?.Row.Awaits == OutsideWait.Idle => "waits for somebody outside",
            _ when AwaitsSignal(context, thread.Thread) && IsMain(context, thread.Thread) => "keeps the process alive until somebody asks it to end",
            _ when context.IsSeenRunning && IsUnshared(context, thread.Thread)
                && IsMain(context, thread.Thread)
                => "keeps the process alive: it gave the event to nobody who could set it",
            _ when context.IsSeenRunning && IsSetByNoCode(context, thread.Thread) && IsMain(context, thread.Thread)
                => "keeps the process alive: no code of the program sets the event",
            _ when IsInOwnLoop(context, thread.Thread) => "waits for the next item of its context",
            _ when UserCode.IsUnderMain(thread.Thread.Stack.Frames) && Joins(context, thread.Thread) => "keeps the process alive until another thread ends",
            _ => thread.Thread.Stack.Frames
                .Where(frame => frame.Kind == FrameKind.Managed)
                .Select(frame => IdleCalls.Find(frame.Method)?.Reason)
                .FirstOrDefault(reason => reason is not null),
        };

    /// <summary>The thread takes an item from a queue, and the queue's own wait is what it is in.</summary>
    public static bool IsForWork(ThreadAssessment thread)
        => thread.Thread.Stack.Frames.TakeWhile(frame => !UserCode.IsManaged(frame))
            .Any(frame => frame.Kind == FrameKind.Managed && IdleCalls.Find(frame.Method)?.IsForWork == true);

    private static bool IsMain(RuleContext context, ThreadFacts thread) => IsMainItself(thread) || IsContinuedMain(context, thread);

    private static bool IsMainItself(ThreadFacts thread)
        => UserCode.IsUnderMain(thread.Stack.Frames)
            && thread.Stack.Frames.Count(frame => UserCode.IsManaged(frame) && !UserCode.IsMain(frame.Method!)) <= Thresholds.FramesOfIdlingMain;

    // Behind its first await an async Main, and what it awaits, continues in the pool, there or below what it has awaited.
    private static bool IsContinuedMain(RuleContext context, ThreadFacts thread)
        => thread.Stack.Frames.Where(UserCode.IsManaged).Take(Thresholds.FramesOfIdlingMain)
                .Select(frame => frame.Method!).FirstOrDefault(method => method.EndsWith(".MoveNext", StringComparison.Ordinal)) is { } machine
            && MethodText.Short(machine) is var method
            && (UserCode.IsMain(method) || context.Flows.Groups.Any(group => IsAwaitedForMain(group, method)));

    private static bool IsAwaitedForMain(FlowGroup group, string method)
        => group.Waits is { Kind: FlowWaitKind.AsyncMethod, Label: { } label }
            && MethodText.Short(label) == method
            && group.AwaitedBy.Prepend(group.Method).Any(UserCode.IsMain);

    // Ctrl+C or a signal of the system is what ends it.
    private static bool AwaitsSignal(RuleContext context, ThreadFacts thread)
        => context.Managed?.HandlesSignals?.Is(handles => handles) == true
            && !context.Threads.Any(other => SignalHandlers.IsRunBy(other.Thread))
            && context.WaitsOf(thread.OsId) is [{ Lock.Kind: LockKind.Event or LockKind.ManagedEvent }];

    private static bool IsUnshared(RuleContext context, ThreadFacts thread) => context.WaitsOf(thread.OsId) is [{ IsUnshared: true }];

    private static bool IsSetByNoCode(RuleContext context, ThreadFacts thread)
        => context.WaitsOf(thread.OsId) is
            [{ Kind: WaitKind.Signal, Lock.Kind: LockKind.Event or LockKind.ManagedEvent, Reach: { By: null, Givers.Count: 0 } }];

    // The loop of a context of the program's own, and the methods of its class that take the next item.
    private static bool IsInOwnLoop(RuleContext context, ThreadFacts thread)
        => context.FindUiThread(thread.OsId)?.Loop is { } loop
            && TypeOf(loop) is { } type
            && thread.Stack.Frames.Where(UserCode.IsManaged).Select(frame => frame.Method!).ToArray() is [.. ] methods
            && methods.TakeWhile(method => method != loop).All(method => TypeOf(method) == type)
            && methods.Contains(loop);

    private static string? TypeOf(string method) => method.LastIndexOf('.') is > 0 and int end ? method[..end] : null;

    private static bool Joins(RuleContext context, ThreadFacts thread)
        => context.WaitsOf(thread.OsId) is { Count: > 0 } waits ? waits.All(wait => wait.Kind == WaitKind.Exit)
            : thread.Stack.Frames.Select(DotNetCalls.Find).FirstOrDefault(call => call is not null)?.Wait == WaitKind.Exit;
}
