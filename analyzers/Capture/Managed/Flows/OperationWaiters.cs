using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts.Calls;

namespace HangTriage.Capture.Managed.Flows;

/// <summary>The methods in which threads block on tasks of operations.</summary>
/// <param name="stacks">The threads.</param>
internal sealed class OperationWaiters(Func<IReadOnlyList<ThreadStack>> stacks)
{
    private readonly Lazy<Dictionary<ulong, ThreadStack>> _byEvent = new(() => stacks()
        .Select(stack => (TaskBlocker.Of(stack)?.Event.Address, Stack: stack))
        .Where(pair => pair.Address is not null)
        .DistinctBy(pair => pair.Address)
        .ToDictionary(pair => pair.Address!.Value, pair => pair.Stack));

    /// <summary>The innermost method that is none of .NET's; null where no thread is known to wait, and for another flow.</summary>
    public string? Of(FlowBox flow)
        => flow.Method is { IsOperation: true } && _byEvent.Value.TryGetValue(flow.Continuation, out ThreadStack? stack)
            ? stack.Methods.Where(method => !Frameworks.IsOwn(method.Type?.Name ?? string.Empty)).Select(ManagedStack.MethodName)
                .FirstOrDefault(name => name is not null)
            : null;
}
