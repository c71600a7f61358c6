using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Stalls;

/// <summary>
/// A thread that has to finish something of the runtime's, and that waits without a timeout for what nobody is seen to end.
/// </summary>
/// <param name="Runner">The thread.</param>
/// <param name="End">The thread at the end of those that it waits for; itself where it waits for none.</param>
/// <param name="Way">From the one to the other.</param>
/// <param name="Does">As "waits for event (0x48)".</param>
internal sealed record StuckRunner(ThreadId Runner, ThreadAssessment End, IReadOnlyList<WaitEdge> Way, Claim Does)
{
    /// <summary>Nothing but those who wait leads to the signal that the thread at the end waits for.</summary>
    public bool IsLost { get; private init; }

    /// <summary>What a report has to say of who ends the wait.</summary>
    public Gap WhoEndsIt => IsLost
        ? new Gap("who ends that wait", "nobody owns a signal; nothing but those who wait leads to this one")
        : new Gap("who ends that wait", "nobody owns a signal; no other thread and no async method of the program is seen to make progress");

    /// <summary>
    /// Null for a thread that makes progress, or may; a thread that runs or sleeps for a time elsewhere may do what it waits for.
    /// </summary>
    /// <param name="context">The facts.</param>
    /// <param name="runner">The thread.</param>
    /// <param name="besides">One that waits for it in a loop, which is no progress.</param>
    public static StuckRunner? Of(RuleContext context, ThreadId runner, ThreadId? besides = null)
    {
        WaitEdge[] way = [.. context.Graph.ChainFrom(WaitNode.Of(runner)).TakeWhile(edge => edge.To.Task is null)];
        if (context.IsInCircle(runner)
            || way.Any(edge => edge.To.Thread is null || edge.EndsByItself || edge.Alternatives > 1)
            || context.Find(way.Length == 0 ? runner : way[^1].To.Thread!.Value) is not { } end
            || DoesForGood(context, end) is not { } does)
        {
            return null;
        }

        HashSet<ThreadId> waiting = [runner, end.Thread.OsId, .. context.Graph.ThreadsBehind(WaitNode.Of(end.Thread.OsId)).Select(node => node.Thread!.Value)];
        if (besides is { } waiter)
        {
            waiting.Add(waiter);
        }

        bool isLost = IsLostBy(context, end.Thread.OsId);
        return !isLost && SomethingMoves(context, waiting) ? null : new StuckRunner(runner, end, way, does) { IsLost = isLost };
    }

    /// <summary>"waits for event (0x48) in Cache.Trim", or the same of the thread at the end of those that it waits for.</summary>
    public Claim Tell(RuleContext context)
    {
        Claim place = WaitPlace.InProgram(End.Thread) is { } known ? $" in {known}" : Claim.Empty;
        return Way.Count == 0
            ? (Claim)$"{Does}{place}"
            : $"waits for the end of {Parties.Label(context, End.Thread.OsId)}, which {Does}{place}";
    }

    /// <summary>A thread beside these, or an async method, is seen to make progress: it may end their wait.</summary>
    public static bool SomethingMoves(RuleContext context, IReadOnlySet<ThreadId> waiting)
        => context.Still.Observers is null
            && (context.Flows.FlowMoves() || context.Threads.Any(thread => !waiting.Contains(thread.Thread.OsId) && thread.Thread.Stack.Frames.Any(UserCode.IsManaged) && Moves(context, thread)));

    private static Claim? DoesForGood(RuleContext context, ThreadAssessment thread) => thread.State switch
    {
        ThreadActivity.Sleeping when Timeouts.InCallOf(thread.Thread) == false => "sleeps without end",
        ThreadActivity.WaitsForObject when HostFlows.BlockedOn(context, thread.Thread.OsId) is { } flow => (Claim)$"waits for {FlowText.Method(flow)}, which waits {FlowText.Waits(flow.Waits)}",
        ThreadActivity.WaitsForObject when IsForGood(context, thread.Thread) => WaitText.Of(context, thread.Thread.OsId) is { } what ? (Claim)$"waits for {what.Label}" : "waits",
        _ => null,
    };

    private static bool IsForGood(RuleContext context, ThreadFacts thread)
        => context.WaitsOf(thread.OsId) is { Count: > 0 } waits
            && waits.All(wait => wait.Kind is WaitKind.Signal or WaitKind.Pulse
                && (context.Still.Observers is not null || !Workers.MayEnd(context, wait.Reach))
                && (wait.Timeout.TryGet(out TimeSpan timeout) ? WaitLimit.IsEndless(timeout) : Timeouts.InCallOf(thread) == false));

    // What moves elsewhere cannot come to the signal.
    private static bool IsLostBy(RuleContext context, ThreadId thread)
        => context.WaitsOf(thread) is { Count: > 0 } waits && waits.All(wait => wait.Reach is { By: null, IsInStatic: false });

    // An accept loop or the console says nothing; a wait with a timeout is looked at again and again.
    private static bool Moves(RuleContext context, ThreadAssessment thread) => thread.State switch
    {
        ThreadActivity.Running or ThreadActivity.Yielding or ThreadActivity.Unknown => true,
        ThreadActivity.Sleeping => Timeouts.InCallOf(thread.Thread) != false,
        ThreadActivity.WaitsForIo or ThreadActivity.WaitsForAnswer or ThreadActivity.WaitsForReply => IdleWait.Why(context, thread) is null,
        ThreadActivity.WaitsForObject => Timeouts.InCallOf(thread.Thread) == true
            || context.WaitsOf(thread.Thread.OsId).Any(wait => wait.Timeout.Is(WaitLimit.Ends)),
        _ => false,
    };
}
