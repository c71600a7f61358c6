using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Context;

/// <summary>Recognises the async methods of healthy programs that wait for as long as nothing happens.</summary>
internal static class IdleFlow
{
    // Behind it a host waits for its services to stop: what they wait for is no idling any more.
    private const string HostStops = "Microsoft.Extensions.Hosting.Internal.Host.StopAsync";

    public static bool Is(RuleContext context, FlowGroup group)
        => !group.AwaitedBy.Contains(HostStops)
            && (Methods(group).Any(IsIdling) || IsKeepAlive(context, group));

    /// <summary>It waits for another process, a server, a device or a person.</summary>
    public static bool IsOutside(FlowGroup group)
        => group.Waits.Kind == FlowWaitKind.InputOutput || OutsideCalls.FindTask(group.Waits.Via) is not null || OutsideCalls.FindTask(group.Method) is not null;

    private static IEnumerable<string?> Methods(FlowGroup group) => group.AwaitedBy.Append(group.Method).Append(group.Waits.Via);

    private static bool IsIdling(string? method) => IdleCalls.Find(method) is not null || OutsideCalls.FindTask(method)?.Awaits == OutsideWait.Idle;

    // What Main itself waits for keeps the process alive until somebody asks it to end.
    private static bool IsKeepAlive(RuleContext context, FlowGroup group)
        => group.Waits.Kind == FlowWaitKind.Task
            && group.AwaitedBy.All(UserCode.IsMain)
            && (UserCode.IsMain(group.Method) || group.AwaitedBy.Count > 0 || IsAwaitedByMain(context, group.Sample));

    private static bool IsAwaitedByMain(RuleContext context, Address task)
        => context.Graph.To(WaitNode.OfTask(task)).Any(edge => edge.From.Thread is { } thread && context.Find(thread) is { } waiter && UserCode.IsUnderMain(waiter.Thread.Stack.Frames));
}
