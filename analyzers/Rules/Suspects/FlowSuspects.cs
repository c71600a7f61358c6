using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Suspects;

/// <summary>Finds suspended async methods whose wait is not known to end and not known to be idling: no thread need be blocked for a hang.</summary>
internal sealed class FlowSuspects(RuleContext context)
{
    private readonly IReadOnlyList<FlowGroup> _groups = context.Managed?.Flows is { } flows && flows.TryGet(out FlowsFacts? known) ? known.Groups : [];

    /// <returns>The heaviest first, of one weight the largest group first.</returns>
    public IReadOnlyList<Suspect> Find()
        => [.. _groups.Where(IsOpen).Select(Describe).OrderByDescending(suspect => suspect.Weight).ThenByDescending(suspect => suspect.Count)];

    private static bool IsOpen(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits: { EndsByTimer: false, EndsByToken: false } }
            && KindOf(group) is not null
            && IsOfProgram(group)
            && !IsIdle(group);

    // A framework's own flows that no code of the program's awaits are its business.
    private static bool IsOfProgram(FlowGroup group)
        => !Frameworks.IsOwn(group.Method) || group.AwaitedBy.Any(method => !Frameworks.IsOwn(method));

    private static bool IsIdle(FlowGroup group)
        => group.AwaitedBy.Append(group.Method).Append(group.Waits.Via).Any(IsIdling) || IsKeepAlive(group);

    private static bool IsIdling(string? method) => IdleCalls.Find(method) is not null || OutsideCalls.FindTask(method)?.Awaits == OutsideWait.Idle;

    // An async Main that waits for a promise keeps the process alive until somebody asks it to end.
    private static bool IsKeepAlive(FlowGroup group)
        => group is { Waits.Kind: FlowWaitKind.Task, AwaitedBy.Count: 0 } && UserCode.IsMain(group.Method);

    private static SuspectKind? KindOf(FlowGroup group) => group.Waits switch
    {
        { Kind: FlowWaitKind.Semaphore, Entries: null or { Left: 0 } } => SuspectKind.Signal,
        { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe, Queue: { Waits: FlowQueueEnd.Writer } } => SuspectKind.Signal,
        { Kind: FlowWaitKind.Task or FlowWaitKind.WhenAll } => SuspectKind.Task,
        { Kind: FlowWaitKind.InputOutput } => SuspectKind.Outside,
        { Kind: FlowWaitKind.Custom or FlowWaitKind.Unknown } => SuspectKind.Unknown,
        _ => null,
    };

    private Weight WeightOf(FlowGroup group) => group.Waits switch
    {
        { Kind: FlowWaitKind.Semaphore } => IsInOtherHands(group) ? Weight.None : Weight.AsyncLock,
        { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe } => Weight.AsyncLock,
        { Kind: FlowWaitKind.Task } when group.Count >= Thresholds.Crowd => Weight.AsyncCrowd,
        _ => Weight.None,
    };

    /// <summary>
    /// A flow of a method that takes part in the wait is past it and does something that ends: it may hold the entry and give it back.
    /// </summary>
    private bool IsInOtherHands(FlowGroup waiting)
    {
        HashSet<string> methods = [waiting.Method, .. waiting.AwaitedBy];
        return _groups.Any(other => other != waiting && methods.Contains(other.Method) && other.Waits.Kind is not (FlowWaitKind.Semaphore or FlowWaitKind.AsyncMethod))
            || context.Threads.Any(thread => thread.State is ThreadActivity.Running or ThreadActivity.Sleeping or ThreadActivity.WaitsForIo
                && thread.Thread.Stack.Frames.Any(frame => frame.Method is { } method && methods.Contains(method)));
    }

    private Suspect Describe(FlowGroup group)
    {
        Claim text = FlowText.Of(group);
        Claim by = FlowText.AwaitedBy(group) is { } callers ? $"; awaited by {callers}" : Claim.Empty;
        return new Suspect
        {
            Kind = KindOf(group) ?? SuspectKind.Unknown,
            Weight = WeightOf(group),
            Waiters = [Party.OfTask(group.Sample, $"async method {MethodText.Short(group.Method)} ({Claim.Of(new ClaimPart(group.Sample.ToString()) { Task = group.Sample })})")],
            Count = group.Count,
            Title = $"{text}{by}",
            Unknown = new Gap($"what ends the wait of async method {MethodText.Short(group.Method)}", $"{text}, and who will end that wait is unknown"),
        };
    }
}
