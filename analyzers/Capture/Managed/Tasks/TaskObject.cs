using HangTriage.Facts;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks;

/// <summary>Reads a System.Threading.Tasks.Task, or the box of a pooled ValueTask, which is no Task but is awaited like one.</summary>
internal static class TaskObject
{
    // Task.m_stateFlags, the same from .NET Framework 4.5 to .NET 10.
    private const int Started = 0x1_0000;
    private const int DelegateInvoked = 0x2_0000;
    private const int Faulted = 0x20_0000;
    private const int Canceled = 0x40_0000;
    private const int RanToCompletion = 0x100_0000;
    private const int WaitingForActivation = 0x200_0000;

    public static bool IsTask(ClrObject target) => target.Has("m_continuationObject") && target.Has("m_stateFlags");

    public static bool IsPooledBox(ClrObject target) => target.Has("_valueTaskSource") && StateMachine.IsBox(target);

    /// <summary>Something that completes and tells its continuations.</summary>
    public static bool IsAwaitable(ClrObject target) => IsTask(target) || IsPooledBox(target);

    public static bool IsCompleted(ClrObject target)
        => IsTask(target)
            ? (target.Number("m_stateFlags") & (Faulted | Canceled | RanToCompletion)) != 0
            : ValueTaskSource.IsCompleted(target);

    /// <param name="flags">Its field m_stateFlags.</param>
    public static bool IsFaulted(int flags) => (flags & Faulted) != 0;

    /// <param name="flags">The same: a delegate was run.</param>
    public static bool HasRun(int flags) => (flags & DelegateInvoked) != 0;

    /// <summary>The exception that it has ended with; a null object where none is found.</summary>
    /// <remarks>dotnet/runtime: TaskExceptionHolder.cs; a list of ExceptionDispatchInfo.</remarks>
    public static ClrObject FaultOf(ClrObject task)
        => task.Reference("m_contingentProperties").Reference("m_exceptionsHolder").Reference("m_faultExceptions")
            .Elements(limit: 1)
            .Select(fault => fault.Reference("_exception"))
            .FirstOrDefault();

    /// <summary>The task that it is attached to as a child, and that does not complete before it: PLINQ makes such ones. Null where there is none.</summary>
    public static ClrObject Parent(ClrObject target)
        => target.Reference("m_contingentProperties").Reference("m_parent") is { IsNull: false } parent && IsTask(parent) && !IsCompleted(parent) && parent.Address != target.Address
            ? parent
            : default;

    public static int? Id(ClrObject target) => target.Number("m_taskId") is int id and not 0 ? id : null;

    public static Known<TaskState> State(ClrObject target)
        => target.Number("m_stateFlags") is int flags
            ? Known.Read((flags & (Faulted | Canceled | RanToCompletion), flags) switch
            {
                (>= RanToCompletion, _) => TaskState.RanToCompletion,
                (>= Canceled, _) => TaskState.Canceled,
                ( >= Faulted, _) => TaskState.Faulted,
                (_, int alive) when (alive & DelegateInvoked) != 0 => TaskState.Running,
                (_, int alive) when (alive & Started) != 0 => TaskState.WaitingToRun,
                (_, int alive) when (alive & WaitingForActivation) != 0 => TaskState.WaitingForActivation,
                _ => TaskState.Created,
            })
            : Known.Derived(IsCompleted(target) ? TaskState.RanToCompletion : TaskState.WaitingForActivation);

    /// <summary>A delegate that nobody has begun to run: whoever takes the task out of a scheduler's queue runs it.</summary>
    public static bool IsToRun(ClrObject target)
        => Kind(target) == TaskKind.Delegate && State(target) is { HasValue: true, Value: TaskState.WaitingToRun or TaskState.Created };

    public static TaskKind Kind(ClrObject target)
    {
        string name = target.Type?.Name ?? string.Empty;
        return name switch
        {
            _ when StateMachine.IsBox(target) || OperationTask.Is(target) => TaskKind.AsyncMethod,
            _ when name.StartsWith("System.Threading.Tasks.UnwrapPromise", StringComparison.Ordinal) => TaskKind.Unwrap,
            _ when Contains("WhenAllPromise") || Contains("+CompleteOnCountdownPromise") => TaskKind.WhenAll,
            _ when Contains("WhenAnyPromise") || Contains("+CompleteOnInvokePromise") => TaskKind.WhenAny,
            _ when Contains("+DelayPromise") => TaskKind.Delay,
            _ when name.StartsWith("System.Threading.SemaphoreSlim+", StringComparison.Ordinal) => TaskKind.Semaphore,
            _ when !target.Reference("m_action").IsNull => TaskKind.Delegate,
            _ when name.StartsWith("System.Threading.Tasks.Task", StringComparison.Ordinal) && !Contains("+") => TaskKind.Promise,
            _ => TaskKind.Other,
        };

        bool Contains(string part) => name.Contains(part, StringComparison.Ordinal);
    }

    /// <summary>The async method, or the method of the delegate that it runs; null where there is none.</summary>
    public static string? Method(ClrObject target)
    {
        if (StateMachine.IsBox(target))
        {
            return StateMachine.MethodOf(target.Type!.Name!);
        }

        return OperationTask.Is(target) ? TaskCalls.OfOperation : ManagedStack.MethodName(DelegateMethod.Of(target.Reference("m_action")));
    }
}
