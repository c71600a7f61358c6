using HangTriage.Capture.Managed.Tasks;
using HangTriage.Capture.Managed.Tasks.Graph;
using HangTriage.Facts.Calls;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>The methods in which threads block on tasks of operations.</summary>
/// <param name="stacks">The threads.</param>
/// <param name="context">Limits and cancellation.</param>
internal sealed class OperationWaiters(Func<IReadOnlyList<ThreadStack>> stacks, CaptureContext context)
{
    private readonly Lazy<Dictionary<ulong, ThreadStack>> _byAwaited = new(() => stacks()
        .SelectMany(stack => AwaitedBy(stack, context).Select(address => (Address: address, Stack: stack)))
        .DistinctBy(pair => pair.Address)
        .ToDictionary(pair => pair.Address, pair => pair.Stack));

    /// <summary>A thread has begun to wait for the task, whether or not it sleeps yet.</summary>
    public bool IsAwaited(FlowBox flow) => ThreadOf(flow) is not null;

    /// <summary>The innermost method that is none of .NET's; null where no thread is known to wait, and for another flow.</summary>
    public string? Of(FlowBox flow)
        => ThreadOf(flow)?.Methods.Where(method => !Frameworks.IsOwn(method.Type?.Name ?? string.Empty)).Select(ManagedStack.MethodName)
            .FirstOrDefault(name => name is not null);

    // A call spins for a moment before it makes the event, and again before it sleeps on that: only its frames have the task then.
    private static IEnumerable<ulong> AwaitedBy(ThreadStack stack, CaptureContext context)
        => TaskBlocker.Of(stack) is { } blocker ? [blocker.Event.Address]
            : (Attempt.Find("task of an operation", () => TasksOf(stack, context)) ?? [])
                .Where(OperationTask.Is).Select(task => task.Address);

    private static IReadOnlyList<ClrObject> TasksOf(ThreadStack stack, CaptureContext context)
        => TaskWait.ByFrames(stack, context) is { HasValue: true } wait ? wait.Value.Tasks : [];

    private ThreadStack? ThreadOf(FlowBox flow)
        => flow.Method is not { IsOperation: true } ? null
            : _byAwaited.Value.GetValueOrDefault(flow.Continuation) ?? _byAwaited.Value.GetValueOrDefault(flow.Address);
}
