using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Recognises the async methods of healthy programs that wait for as long as nothing happens.</summary>
internal static class IdleFlow
{
    public static bool Is(RuleContext context, FlowGroup group)
        => !IsOfHost(group)
            && (Methods(group).Any(IsIdling) || IdleCalls.IsOfIdling(group.Waits.Type) || IsKeepAlive(context, group));

    /// <summary>It waits for another process, a server, a device or a person.</summary>
    public static bool IsOutside(FlowGroup group)
        => group.Waits.Kind == FlowWaitKind.InputOutput || OutsideCalls.FindTask(group.Waits.Via) is not null || OutsideCalls.FindTask(group.Method) is not null;

    // What a host's services wait for while it starts or stops is no idling, though Main idles behind the host.
    private static bool IsOfHost(FlowGroup group) => group.AwaitedBy.Any(method => method is HostCalls.Start or HostCalls.Stop);

    private static IEnumerable<string?> Methods(FlowGroup group) => group.AwaitedBy.Append(group.Method).Append(group.Waits.Via);

    private static bool IsIdling(string? method) => IdleCalls.Find(method) is not null || OutsideCalls.FindTask(method)?.Awaits == OutsideWait.Idle;

    // What Main itself waits for keeps the process alive until somebody asks it to end; where nothing runs and no signal is handled,
    // there is nobody to ask. A block that nobody can reach is made for work, and so is a promise that code of the program was to keep and
    // nobody comes to any more. What Main awaits again and again, or several times at once, is work, too: room in a block that is full, the
    // next message of a stream; and so are several promises at once. A method that Main calls waits so where a signal can ask the program to end.
    private static bool IsKeepAlive(RuleContext context, FlowGroup group)
        => group is { Waits: { Kind: FlowWaitKind.Task, Objects: <= 1 }, Count: 1, IsInLoop: not true }
            && !context.IsQuiet
            && !(DataflowCalls.IsCompletion(group.Waits.Type) && group.Waits.Reach is { By: null, IsInStatic: false })
            && !WantedResult.Is(group.Waits)
            && !(group.Waits.Reach is { By: null } && SignalUsers.Had(group.Waits.Reach, []))
            && (UserCode.IsMain(group.Method) || context.Managed?.HandlesSignals?.Is(handles => !handles) != true)
            && group.AwaitedBy.All(UserCode.IsMain)
            && (UserCode.IsMain(group.Method) || group.AwaitedBy.Count > 0 || IsAwaitedByMain(context, group.Sample));

    private static bool IsAwaitedByMain(RuleContext context, Address task)
        => context.Graph.To(WaitNode.OfTask(task)).Any(edge => edge.From.Thread is { } thread && context.Find(thread) is { } waiter && UserCode.IsUnderMain(waiter.Thread.Stack.Frames));
}
