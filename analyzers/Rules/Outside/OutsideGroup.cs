using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Outside;

/// <summary>Threads that wait for the same thing outside, and who depends on them.</summary>
internal sealed class OutsideGroup
{
    public OutsideGroup(RuleContext context, IEnumerable<OutsideRequest> requests)
    {
        Requests = [.. requests.OrderByDescending(request => ImportantThreads.Contain(context, request.Thread.Thread.OsId)).ThenByDescending(request => Behind(context, request).Count)];
        First = Requests[0];
        ThreadId[] own = [.. Requests.Select(request => request.Thread.Thread.OsId)];
        Victims = [.. Requests.SelectMany(request => Behind(context, request)).Distinct().Where(node => !own.Contains(node.Thread!.Value))];
        Held = [.. Requests.SelectMany(request => HeldBy(context, request))];
        IsAwaited = own.Concat(Victims.Select(victim => victim.Thread!.Value)).Any(thread => ImportantThreads.Contain(context, thread));
        ServesWindows = Requests.Any(request => context.FindUiThread(request.Thread.Thread.OsId) is { } loop && !IsOfLoop(request, loop));
        HoldsUpRequests = Victims.Any(victim => context.Find(victim.Thread!.Value)?.Thread.Stack.Frames
            .Any(frame => frame.Method is { } method && KestrelCalls.IsRequestFrame(method)) == true);
        int stuck = Requests.Count(request => IsWork(request) && context.Timeline.Of(request.Thread.Thread)?.HasMovedOn != true);
        IsCrowd = stuck >= Thresholds.Crowd && stuck >= Requests.Count(IsWork) * Thresholds.MovingWorkersShare;
    }

    /// <summary>The request that matters most.</summary>
    public OutsideRequest First { get; }

    public IReadOnlyList<OutsideRequest> Requests { get; }

    /// <summary>Who waits for these threads.</summary>
    public IReadOnlyList<WaitNode> Victims { get; }

    /// <summary>
    /// A lock of the program's is among <see cref="Held"/>: what the runtime runs, such as a static constructor, may take its time.
    /// </summary>
    public bool HoldsLock => Held.Any(held => !held.From.Lock!.Kind.IsOfRuntime());

    /// <summary>The locks that these threads hold and others wait for without a timeout.</summary>
    public IReadOnlyList<WaitEdge> Held { get; }

    /// <summary>Many do work that waits, and most of them are not known to have had an answer since an earlier sample.</summary>
    public bool IsCrowd { get; }

    /// <summary>
    /// Nothing but their number makes them matter, and they are workers of the pool: a busy service looks so, too, but it leaves no
    /// transaction open.
    /// </summary>
    public bool IsOnlyCrowd
        => IsCrowd && Held.Count == 0 && !IsAwaited && !ServesWindows && !First.IsUnread && First is not { IsLeftOpen: true, HasTimeout: not true }
            && Requests.All(request => PoolWorker.IsAtWork(request.Thread.Thread));

    /// <summary>A thread of a user interface, or Main, is among those that wait.</summary>
    private bool IsAwaited { get; }

    private bool ServesWindows { get; }

    /// <summary>Threads in which the process's own server works on requests wait for these threads.</summary>
    public bool HoldsUpRequests { get; }

    public TimeLimit Limit
        => Requests.Any(request => request.HasTimeout == true) ? TimeLimit.Some
            : Requests.All(request => request.HasTimeout == false) ? TimeLimit.None
            : TimeLimit.Unknown;

    /// <summary>Somebody depends on it, and it is not how such a thread idles.</summary>
    public bool Matters(RuleContext context) => First.Awaits switch
    {
        _ when context.Flows.Server.AnswersInTime(First.Socket) => false,
        _ when Requests.All(request => request.IsHeldInPassing) => false,
        _ when First.IsToItself && MayAnswer(context) => false,
        _ when First is { IsLeftOpen: true, HasTimeout: not true } && !MayAnswer(context) && !context.Flows.FlowMoves() => true,
        OutsideWait.Idle => Held.Count > 0 || ServesWindows || First.IsUnread,
        OutsideWait.Moment => (Held.Count > 0 || IsAwaited || IsCrowd) && Requests.All(request => context.Timeline.Of(request.Thread.Thread) is { HasMovedOn: false }),
        OutsideWait.Data when First.IsInLoop => Held.Count > 0 || ServesWindows || First.IsUnread,
        _ => Held.Count > 0 || IsAwaited || IsCrowd || First.IsUnread || Victims.Count >= Thresholds.Crowd,
    };

    // Some thread of the program, none of those that ask, works or sleeps: it may be the one that is to answer.
    private bool MayAnswer(RuleContext context)
        => !context.Case.IsSaidToHang
            && context.Threads.Any(thread => Requests.All(request => request.Thread != thread)
                && thread.Thread.Stack.Frames.Any(UserCode.IsManaged)
                && Timeouts.IsAwake(thread));

    private static IReadOnlyList<WaitNode> Behind(RuleContext context, OutsideRequest request)
        => context.Graph.ThreadsBehind(WaitNode.Of(request.Thread.Thread.OsId));

    // A library's loop that takes what is posted to it and what comes on its connections: the call is how it waits for both.
    private static bool IsOfLoop(OutsideRequest request, UiThreadFacts thread)
        => request.Awaits == OutsideWait.Idle && thread.Loop is { } loop
            && request.Thread.Thread.Stack.Frames is var frames && frames.Any(frame => frame.Method == loop)
            && frames.SkipWhile(frame => frame != request.Frame).Skip(1).TakeWhile(frame => frame.Method != loop)
                .All(frame => frame.Method is { } method && LibraryOf(method) == LibraryOf(loop));

    private static string LibraryOf(string method) => method[..Math.Max(0, method.IndexOf('.', StringComparison.Ordinal))];

    // A thread of its own that takes what comes next may be the read loop of a connection that is silent.
    private static bool IsWork(OutsideRequest request)
        => request.Awaits != OutsideWait.Data || PoolWorker.IsAtWork(request.Thread.Thread);

    private static IEnumerable<WaitEdge> HeldBy(RuleContext context, OutsideRequest request)
        => context.Graph.To(WaitNode.Of(request.Thread.Thread.OsId))
            .Where(held => held.From.Lock is not null && held.Kind != EdgeKind.CompletedBy && context.Graph.To(held.From).Any(wait => wait is { From.Thread: not null, EndsByItself: false, Alternatives: 1 }));
}
