using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;

namespace HangTriage.Rules.Stalls;

/// <summary>A web server that was asked to stop and waits until the requests that it has begun have ended.</summary>
internal static class HostDrain
{
    /// <summary>The server waits for its connections, and no time is set after which it drops them.</summary>
    public static bool IsUnderWay(RuleContext context)
        => !HostStage.HasTimeForStop(context)
            && context.Flows.Groups.Any(group => group.State == FlowState.Suspended
                && group.AwaitedBy.Append(group.Method).Any(KestrelCalls.IsDrain)
                && group.AwaitedBy.Any(KestrelCalls.IsStop));

    /// <summary>The async method in which a request is suspended that nothing is seen to end; null where there is none.</summary>
    public static FlowGroup? Request(RuleContext context)
        => IsUnderWay(context) ? HostFlows.End(context, [.. context.Flows.Groups.Where(group => group.AwaitedBy.Any(KestrelCalls.IsRequest))], behindInput: true) : null;
}
