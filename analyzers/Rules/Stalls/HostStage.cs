using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Stalls;

/// <summary>A host in its start or stop, and what of the program's it waits for.</summary>
/// <param name="IsStop">It stops; else it starts.</param>
/// <param name="Flow">The async method at the end of what it awaits; null where it is a thread.</param>
/// <param name="Thread">The thread that a service blocks; null where it is an async method.</param>
internal sealed record HostStage(bool IsStop, FlowGroup? Flow, StuckRunner? Thread)
{
    private const string Host = "Microsoft.Extensions.Hosting.Internal.Host";

    // What it awaits there ends with the token that the host cancels when the time for the stop is over.
    private const string LimitedStop = "Microsoft.Extensions.Hosting.BackgroundService.StopAsync";

    public string Does => IsStop ? "was asked to stop and does not" : "does not finish starting";

    public string Waits => IsStop ? "awaits its stop, and waits" : "awaits its start, and waits";

    /// <summary>Null for a host that runs, and where what it waits for is known to end.</summary>
    public static HostStage? Of(RuleContext context)
        => Awaiting(context, "StopAsync") is { } stops ? new HostStage(true, stops, null)
            : Awaiting(context, "StartAsync") is { } starts ? new HostStage(false, starts, null)
            : context.Threads.Select(thread => Blocking(context, thread)).FirstOrDefault(stage => stage is not null);

    public static bool IsHost(string method) => method is $"{Host}.StopAsync" or $"{Host}.StartAsync";

    // A periodic timer is how services that are yet to be stopped go on.
    public static bool SomethingMoves(RuleContext context, HostStage stage)
        => stage.Thread is null
            && (context.Flows.FlowMoves(besidesPeriodic: true) || context.Threads.Any(thread => IsMoving(thread) && thread.Thread.Stack.Frames.Any(UserCode.IsManaged)));

    private static FlowGroup? Awaiting(RuleContext context, string method)
    {
        FlowGroup[] behind =
        [
            .. context.Flows.Groups.Where(group => group.State == FlowState.Suspended
                && group.AwaitedBy.Contains($"{Host}.{method}")
                && !group.AwaitedBy.Contains(LimitedStop)
                && !Frameworks.IsOwn(group.Method)
                && group.Waits.Kind != FlowWaitKind.AsyncMethod),
        ];
        FlowGroup[] last = [.. behind.Where(group => !behind.Any(other => other != group && other.AwaitedBy.Contains(group.Method)))];
        return last.Length > 0 && last.All(group => IsOpen(group.Waits)) ? last[0] : null;
    }

    private static bool IsOpen(FlowWait wait)
        => !wait.EndsByToken
            && !wait.IsLimited()
            && wait.Kind is FlowWaitKind.Channel or FlowWaitKind.Pipe or FlowWaitKind.Semaphore or FlowWaitKind.Task or FlowWaitKind.InfiniteDelay
            && wait.Queue is not { Used: > 0, Waits: FlowQueueEnd.Reader };

    private static HostStage? Blocking(RuleContext context, ThreadAssessment thread)
        => thread.Thread.Stack.Frames.Any(UserCode.IsManaged)
            && thread.Thread.Stack.Frames.Select(frame => StageOf(frame.Method)).FirstOrDefault(stage => stage is not null) is { } isStop
            && StuckRunner.Of(context, thread.Thread.OsId) is { } stuck
                ? new HostStage(isStop, null, stuck)
                : null;

    // An async method's frame is the MoveNext of its state machine.
    private static bool? StageOf(string? method)
        => method?.StartsWith(Host + "+<", StringComparison.Ordinal) != true ? null
            : method.Contains("<StopAsync>", StringComparison.Ordinal) ? true
            : method.Contains("<StartAsync>", StringComparison.Ordinal) ? false
            : null;

    private static bool IsMoving(ThreadAssessment thread)
        => thread.State == ThreadActivity.Running || (thread.State == ThreadActivity.Sleeping && Timeouts.InCallOf(thread.Thread) != false);
}
