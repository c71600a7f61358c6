using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Stalls;

/// <summary>A host in its start or stop, and what of the program's it waits for.</summary>
/// <param name="Phase">What it is in the middle of.</param>
/// <param name="Flow">The async method at the end of what it waits for; null where it is a thread.</param>
/// <param name="Thread">The thread that a service blocks; null where it is an async method.</param>
internal sealed record HostStage(HostPhase Phase, FlowGroup? Flow, StuckRunner? Thread)
{
    private const int MostEnds = 64;

    /// <summary>The loop that the flow goes round and never leaves: nothing that moves elsewhere can change that.</summary>
    public bool IsEndless => Flow is { LoopEnd: FlowLoopEnd.None };

    public string Does => Phase switch
    {
        HostPhase.Start => "does not finish starting",
        HostPhase.Stop => "was asked to stop and does not",
        _ => "was asked to stop and waits for the requests that its web server has begun",
    };

    /// <summary>Null for a host that runs, and where what it waits for is known to end.</summary>
    public static HostStage? Of(RuleContext context)
        => Awaiting(context, HostCalls.Stop) is { } stops ? new HostStage(HostPhase.Stop, stops, null)
            : Awaiting(context, HostCalls.Start) is { } starts ? new HostStage(HostPhase.Start, starts, null)
            : HostDrain.Request(context) is { } request ? new HostStage(HostPhase.Drain, request, null)
            : context.Threads.Select(thread => Blocking(context, thread)).FirstOrDefault(stage => stage is not null) ?? Running(context);

    public static bool IsHost(string method) => method is HostCalls.Stop or HostCalls.Start;

    /// <summary>
    /// The host has set itself a time for its stop, and cancels the services' token after it; also where that is not known.
    /// </summary>
    public static bool HasTimeForStop(RuleContext context) => !context.Flows.Groups.Any(group => group is { Method: HostCalls.Stop, CancelsByTimer: false });

    // A periodic timer is how services that are yet to be stopped go on.
    public static bool SomethingMoves(RuleContext context, HostStage stage)
        => stage is { Thread: null, IsEndless: false }
            && (context.Flows.FlowMoves(besidesPeriodic: true) || context.Threads.Any(thread => Timeouts.IsAwake(thread) && thread.Thread.Stack.Frames.Any(UserCode.IsManaged)));

    private static FlowGroup? Awaiting(RuleContext context, string method)
    {
        bool isLimited = HasTimeForStop(context);
        HashSet<string> loops = isLimited ? [] : [.. Loops(context)];
        FlowGroup[] awaited =
        [
            .. context.Flows.Groups.Where(group => (group.AwaitedBy.Contains(method) && !(isLimited && group.AwaitedBy.Contains(HostCalls.StopOfService)))
                || (method == HostCalls.Stop && group.AwaitedBy.Prepend(group.Method).Any(loops.Contains))),
        ];
        return HostFlows.Endless(awaited) ?? HostFlows.End(context, awaited);
    }

    // A service that is being stopped waits for the task of its own loop, which is not made by an await.
    private static IEnumerable<string> Loops(RuleContext context)
        => context.Flows.Groups.Where(group => group is { Method: HostCalls.StopOfService, State: FlowState.Suspended }).Select(group => HostCalls.LoopOf(group.Waits.Label)).OfType<string>();

    private static HostStage? Blocking(RuleContext context, ThreadAssessment thread)
    {
        IReadOnlyList<FrameFacts> frames = thread.Thread.Stack.Frames;
        if (!frames.Any(UserCode.IsManaged) || frames.Select(frame => PhaseOf(context, frame.Method)).FirstOrDefault(phase => phase is not null) is not { } phase)
        {
            return null;
        }

        return StuckRunner.Of(context, thread.Thread.OsId) is { } stuck ? new HostStage(phase, null, stuck) : null;
    }

    // The task of a service that a thread runs from its start to its end, as Task.Run makes them: it comes to no await.
    private static HostStage? Running(RuleContext context)
        => HasTimeForStop(context) ? null
            : context.Flows.Groups
                .Where(group => group is { Method: HostCalls.StopOfService, State: FlowState.Suspended }
                    && HostCalls.LoopOf(group.Waits.Label) is not null)
                .Select(group => group.Waits.Address).OfType<Address>()
                .SelectMany(task => context.Fates.Ends(task, MostEnds))
                .Select(end => end.Need is { Kind: TaskNeedKind.Thread, Thread: { } runner } ? StuckRunner.Of(context, runner) : null)
                .OfType<StuckRunner>()
                .Select(stuck => new HostStage(HostPhase.Stop, null, stuck))
                .FirstOrDefault();

    // An async method's frame is the MoveNext of its state machine.
    private static HostPhase? PhaseOf(RuleContext context, string? method)
        => method is null ? null
            : IsExecuting(context, method) ? HostPhase.Stop
            : KestrelCalls.IsRequestFrame(method) ? HostDrain.IsUnderWay(context) ? HostPhase.Drain : null
            : !method.StartsWith(HostCalls.Host + "+<", StringComparison.Ordinal) ? null
            : method.Contains("<StopAsync>", StringComparison.Ordinal) ? HostPhase.Stop
            : method.Contains("<StartAsync>", StringComparison.Ordinal) ? HostPhase.Start
            : null;

    // A host without a time for its stop awaits ExecuteAsync of a background service, which has not come to its first await.
    private static bool IsExecuting(RuleContext context, string method)
        => method.EndsWith(".ExecuteAsync", StringComparison.Ordinal)
            && !HasTimeForStop(context)
            && Loops(context).Contains(method);
}
