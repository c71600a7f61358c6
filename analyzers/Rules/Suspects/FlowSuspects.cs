using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Suspects;

/// <summary>Finds suspended async methods whose wait is not known to end and not known to be idling: no thread need be blocked for a hang.</summary>
internal sealed class FlowSuspects(RuleContext context)
{
    // HttpClient, and what libraries use in its place (HttpMessageInvoker, SocketsHttpHandler).
    private const string Http = "System.Net.Http.";

    private readonly AsyncFlows _flows = context.Flows;
    private readonly WorkUnderWay _work = new(context);

    /// <returns>The heaviest first, of one weight the largest group first.</returns>
    public IReadOnlyList<Suspect> Find()
        => [.. _flows.Groups
            .Where(group => AskingLoop.IsIn(context, group) || Retries(group) || IsLeft(group) || IsOpen(group))
            .Where(group => context.Case.IsSaidToHang || !context.Timeline.HasMovedOn(group))
            .Select(Describe)
            .OrderByDescending(suspect => suspect.Weight)
            .ThenByDescending(suspect => suspect.Count)];

    private bool IsOpen(FlowGroup group)
        => group is { State: FlowState.Suspended }
            && (!group.IdlesByToken() || _flows.IsQuestion(group) || _flows.IsGivenUp(group))
            && !group.Waits.IsLimited()
            && KindOf(group) is not null
            && (group.Waits.Kind != FlowWaitKind.WhenAny || _flows.IsQuestion(group))
            && (!Frameworks.IsOwn(group.Method) || (_flows.IsOfLibrary(group) && _flows.IsOfProgram(group)))
            && !Workers.CanEnd(context, group.Waits.Reach)
            && !_flows.Server.AnswersInTime(group.Waits.Socket)
            && !IsForThreads(group)
            && !IdleFlow.Is(context, group);

    // What they wait for some threads run, or will when they have done that: what the threads wait for is told of themselves.
    private bool IsForThreads(FlowGroup group)
    {
        TaskFacts?[] awaited = [.. (group.Members ?? []).Select(member => member.Awaits is { } task ? context.FindTask(task) : null)];
        return awaited.Any(IsRun) && awaited.All(task => IsRun(task) || task is { Kind: TaskKind.Delegate, Reach.By: not null });
    }

    private static bool IsRun(TaskFacts? task)
        => task is { Kind: TaskKind.Delegate } && task.Needs.Any(need => need.Kind == TaskNeedKind.Thread);

    // While each try fails, nothing else is done. That a loop counts its rounds does not say to how many.
    private bool Retries(FlowGroup group)
        => group is { State: FlowState.Suspended, TriesAgainAfter: not null } && IsAllThatIsDone(group);

    // Nobody comes to code that brings it any more. It may have come to its end.
    private bool IsLeft(FlowGroup group)
        => group is { State: FlowState.Suspended, Waits.Reach.IsGivenByNobody: true } && IsAllThatIsDone(group);

    // Main waits for it, or it is what a service of a host does.
    private bool IsAllThatIsDone(FlowGroup group) => _flows.IsForMain(group) || group.AwaitedBy.Contains(HostCalls.RunOfService);

    private SuspectKind? KindOf(FlowGroup group) => group.Waits switch
    {
        _ when AskingLoop.IsIn(context, group) => SuspectKind.Signal,
        _ when Retries(group) => SuspectKind.Outside,
        _ when IsLeft(group) => SuspectKind.Signal,
        _ when IdleFlow.IsOutside(group) => SuspectKind.Outside,
        { Kind: FlowWaitKind.Semaphore, Entries: null or { Left: 0 } } => SuspectKind.Signal,
        { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe, Queue: { Waits: FlowQueueEnd.Writer } } => SuspectKind.Signal,
        { Kind: FlowWaitKind.Channel } when ResourceCalls.Find(group.Method) is not null => SuspectKind.Signal,
        { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe } when group.IsMeantToEnd() => SuspectKind.Task,
        { Kind: FlowWaitKind.Task or FlowWaitKind.WhenAny } => SuspectKind.Task,
        { Kind: FlowWaitKind.Custom or FlowWaitKind.Unknown } => SuspectKind.Unknown,
        _ => null,
    };

    private Weight WeightOf(FlowGroup group) => group.Waits switch
    {
        _ when AskingLoop.IsIn(context, group) || Retries(group) || IsLeft(group) => Weight.AsyncTask,
        { Reach.OwnGiver: not null } or { Reach.FailedGiver: not null } => Weight.AsyncTask,
        _ when IdleFlow.IsOutside(group) => (IsOneAnswer(group) || IsForAnswer(group)) && !_flows.HasLimitOfOwn(group) ? Weight.AsyncTask : Weight.None,
        { Kind: FlowWaitKind.Semaphore }
            => IsSignal(group) || (_flows.IsInOtherHands(group) && !IsHeldOutside(group) && !_flows.IsInHandsOfMainAlone(group))
                ? Weight.None : Weight.AsyncLock,
        { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe } when KindOf(group) == SuspectKind.Task => OfPromise(group),
        { Kind: FlowWaitKind.Channel or FlowWaitKind.Pipe }
            => _flows.SomethingMoves() && ResourceCalls.Find(group.Method) is null && !IsForRoomOfNobody(group.Waits)
                ? Weight.None : Weight.AsyncLock,
        { Kind: FlowWaitKind.Task } => OfPromise(group),
        { Kind: FlowWaitKind.WhenAny } => Weight.AsyncTask,
        { Kind: FlowWaitKind.Custom or FlowWaitKind.Unknown } => IsOneOfMain(group) && !_flows.IsInOtherHands(group) ? Weight.AsyncTask : Weight.None,
        _ => Weight.None,
    };

    private Weight OfPromise(FlowGroup group) => _flows.IsOfProgram(group) && !_flows.IsInTurn(group) ? Weight.AsyncTask : Weight.None;

    // A promise of a library's own make: how servers and consumers idle, too, but in a loop, or beside Main. What a library has called, as
    // it hands on a request, is meant to come to its end.
    private bool IsOneOfMain(FlowGroup group)
        => group.IsMeantToEnd()
            && (_flows.IsForMain(group)
                || group.AwaitedBy.Any(method => !Frameworks.IsOwn(method) && CallNames.Root(method) != CallNames.Root(group.Method)));

    // A client of this server, or a hosted service, waits for an answer that another server owes, and no time limit is set: HttpClient keeps
    // that in a timer. A method that asks again and again follows what changes there.
    private bool IsForAnswer(FlowGroup group)
        => (group.IsInLoop != true || _flows.IsOfLibrary(group) || OutsideCall.IsOfClient(group.Method))
            && group.AwaitedBy.Any(method => KestrelCalls.IsRequest(method) || method == HostCalls.RunOfService)
            && group.AwaitedBy.Prepend(group.Method).Append(group.Waits.Via).Any(method => method?.StartsWith(Http, StringComparison.Ordinal) == true);

    // Main waits for one answer. What a child writes ends with the child, unless that itself waits for the end of its input.
    private bool IsOneAnswer(FlowGroup group)
        => group.IsMeantToEnd()
            && _flows.IsForMain(group)
            && (group.Waits.Socket?.Peer is not null || context.Children.Count == 0 || context.Children.Any(child => child.IsInputOpen));

    // There is no room in the queue, and what moves in the program is not seen to have taken anything out of it, nor out of one behind it.
    private bool IsForRoomOfNobody(FlowWait wait)
        => IsForRoom(wait) && !_flows.Groups.Any(group => IsForRoom(group.Waits) && IsMade(group.Waits.Reach!));

    private static bool IsForRoom(FlowWait wait) => wait is { Queue.Waits: FlowQueueEnd.Writer, Reach.Movers: not null };

    private bool IsMade(WaitReach reach)
        => reach.Signaller is not null || reach.Movers!.Any(mover => mover.HasInHand || mover.Thread is not null || IsOutside(mover.Flow));

    // What comes over a connection of the process to itself, it has to send.
    private bool IsOutside(Address? flow)
        => _flows.Of(flow) is { Waits: { Kind: FlowWaitKind.InputOutput } wait } && !_flows.Server.IsPeerOf(wait.Socket);

    // A crowd waits for a lock, and who is past it waits for somebody outside, without a timeout: for how long, one look does not tell.
    private bool IsHeldOutside(FlowGroup group)
        => group is { Count: >= Thresholds.Crowd, Waits.Entries.Most: 1 }
            && context.Flows.PastTheWait(group).Where(IdleFlow.IsOutside).ToArray() is { Length: > 0 } holders
            && holders.All(holder => !holder.IdlesByToken() && !holder.Waits.IsLimited());

    // A semaphore without a maximum that few wait for is how consumers are told of work, who come back for more.
    private static bool IsSignal(FlowGroup group)
        => group.Waits.Entries is not null && !group.IsForLock() && !group.IsMeantToEnd() && group.Count < Thresholds.Crowd;

    private Suspect Describe(FlowGroup group)
    {
        string next = Retries(group) ? $", to try again after {MethodText.Type(group.TriesAgainAfter!)}" : string.Empty;
        Claim text = $"{FlowText.WithCaller(group)}{next}";
        string open = Retries(group) ? "whether a try will succeed is unknown" : "what will end that wait is unknown";
        Claim by = FlowText.AwaitedBy(group) is { } callers ? $"; awaited by {callers}" : Claim.Empty;
        (Party Last, Claim Text)? bearers = new Bearers(context).Of(group.Waits.Reach);
        return new Suspect
        {
            Bearer = bearers?.Last,
            Kind = KindOf(group) ?? SuspectKind.Unknown,
            Weight = WeightOf(group),
            Waiters = [Parties.OfFlow(group)],
            Count = group.Count,
            Title = GiverText.Of(group.Waits.Reach) is { } given ? (Claim)$"{text}, {given}{by}" : $"{text}{by}{bearers?.Text ?? Claim.Empty}",
            Work = _work.For(group.Waits.Reach),
            OwnGiver = group.Waits.Reach?.OwnGiver,
            FailedGiver = group.Waits.Reach?.FailedGiver,
            Unknown = new Gap($"what ends the wait of async method {MethodText.Short(group.Method)}", $"{text}, and {open}"),
        };
    }
}
