using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>The words for tasks, and for what they need.</summary>
internal static class TaskText
{
    /// <summary>As "async method Window.WorkAsync", "task of Program.Compute", "Task.Delay".</summary>
    public static string Name(TaskFacts task) => (task.Kind, task.Method) switch
    {
        (TaskKind.AsyncMethod, { } method) => MethodText.Async(method),
        (TaskKind.Delegate, { } method) => $"task of {MethodText.Short(method)}",
        (TaskKind.AsyncMethod, _) => "async method",
        (TaskKind.Promise, _) => "TaskCompletionSource's task",
        (TaskKind.Unwrap, _) => "Task.Run of an async delegate",
        (TaskKind.WhenAll, _) => "Task.WhenAll",
        (TaskKind.WhenAny, _) => "Task.WhenAny",
        (TaskKind.Delay, _) => "Task.Delay",
        (TaskKind.Semaphore, _) => "SemaphoreSlim.WaitAsync",
        _ => task.Type.TryGet(out string? type) ? type : "task",
    };

    /// <summary>What a task needs, as a clause: "a timer of 1 h is set".</summary>
    public static Claim Need(RuleContext context, TaskNeedFacts need) => need switch
    {
        { Kind: TaskNeedKind.Timer, SetFor: { } due } => (Claim)$"a timer of {Durations.Of(due)} is set",
        { Kind: TaskNeedKind.Timer } => (Claim)"a timer leads to it that is not set",
        { Kind: TaskNeedKind.Thread, Thread: { } thread } => (Claim)$"it runs on {Parties.Label(context, thread)}",
        { Kind: TaskNeedKind.Context, Thread: { } thread } => (Claim)$"it {(need.IsPosted ? "is posted" : "has to continue")} to {Parties.Label(context, thread)}",
        { Kind: TaskNeedKind.Context } => (Claim)"it has to continue in a context whose thread is not known",
        { Kind: TaskNeedKind.PoolQueue } => (Claim)$"it is one of {need.Queued ?? 0} items queued for the thread pool",
        { Kind: TaskNeedKind.Io } => (Claim)"an operation of the system is under way",
        { Kind: TaskNeedKind.Nobody } => (Claim)"nothing can complete it",
        _ => (Claim)"what completes it is not known",
    };

    /// <summary>Why it is open whether the task makes progress; null where it does, or is known not to.</summary>
    public static string? WhyUnknown(RuleContext context, Address task)
        => context.FindTask(task) is not { } facts ? $"the task at {task} was not read"
            : facts.Needs.FirstOrDefault(need => need.Kind == TaskNeedKind.Unknown) is { } need ? $"what completes {Parties.Label(context, task)} is not known: {need.Source}"
            : facts.Needs.Count == 0 && facts.State.Is(state => state < TaskState.RanToCompletion) ? $"what completes {Parties.Label(context, task)} is not known"
            : null;

    /// <summary>A thread of a context that is in its loop, in no handler.</summary>
    public static bool IsInItsLoop(RuleContext context, ThreadFacts thread)
        => context.FindUiThread(thread.OsId)?.Loop is { } loop
            && thread.Stack.Frames.FirstOrDefault(frame => frame.Kind == FrameKind.Managed && (UserCode.IsManaged(frame) || frame.Method == loop))?.Method == loop;
}
