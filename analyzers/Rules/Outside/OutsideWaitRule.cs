using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Outside;

/// <summary>A thread that the program depends on, or several, wait for another process, a server, a device or a person.</summary>
public sealed class OutsideWaitRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT8001", "waits for the outside", "A thread that the program depends on waits for another process, a server, a device or a person.")
    {
        Patterns = Pattern.OutsideRequest | Pattern.UnreadOutput,
        Needs = Need.Threads | Need.Managed,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        OutsideRequest[] requests = [.. context.Threads.Select(thread => OutsideRequest.Of(context, thread)).OfType<OutsideRequest>()];
        OutsideGroup[] groups =
        [
            .. requests
                .GroupBy(request => (request.Key, request.Awaits))
                .Select(group => new OutsideGroup(context, group))
                .Where(group => group.Matters(context)),
        ];

        // Who asks the process itself waits for its requests, and these for the others.
        bool areRequestsHeldUp = groups.Any(group => group.HoldsUpRequests);
        return RuleOutcome.Of(
            [
                .. groups.Where(group => !areRequestsHeldUp || group.HoldsUpRequests || !group.First.IsToItself)
                    .Select(group => Describe(context, group)),
            ],
            [.. requests.Select(request => Unseen(context, request)).OfType<Gap>().Distinct()]);
    }

    // For how long who tries again and again does so is all that tells a moment from a hang.
    private static Gap? Unseen(RuleContext context, OutsideRequest request)
        => request.Row.Outside == OutsideEnd.ChildProcess ? UnseenOutput(context, request)
            : request.Row.Awaits == OutsideWait.Moment ? context.Managed?.Outside?.Gap
            : null;

    // Whether somebody reads the child's output is all that tells a supervisor from a deadlock.
    private static Gap? UnseenOutput(RuleContext context, OutsideRequest request)
        => context.Managed?.Outside?.Gap
            ?? request.KnownChild?.Gap
            ?? request.Child?.Unread.Gap;

    private Observation Describe(RuleContext context, OutsideGroup group)
    {
        OutsideRequest first = group.First;
        ThreadId leading = first.Thread.Thread.OsId;
        Claim label = Parties.Label(context, leading);
        Claim does = $"in {OutsideText.Place(first)} for {OutsideText.Thing(first)}{HeldBy(context, first)}{AwaitedBy(context, group)}";
        Claim unread = first.IsUnread ? $", and {OutsideText.Unread(first)}" : Claim.Empty;
        string who = group.Requests.Count > 1 ? $" and {group.Requests.Count - 1} more wait" : " waits";
        Unsent? unsent = Unsent.To(context, first.Socket);
        FlowGroup? handler = unsent is null && first.IsToItself ? context.Flows.Server.SlowHandler : null;
        Claim answered = handler is null ? Claim.Empty : $"; of the handlers, {FlowText.Of(handler)}";
        string behind = group.Victims.Count > 0 ? $"; {Count.Waiting(group.Victims.Count)} behind it" : string.Empty;
        return new Observation
        {
            Rule = Info,
            Pattern = first.IsUnread ? Pattern.UnreadOutput : Pattern.OutsideRequest,
            YieldsToOthers = (first.IsToItself && !group.HoldsUpRequests && unsent is null) || context.IsInCircle(leading),
            Links = Links.Of(first.Frame.Trust),
            Limit = group.Limit,
            Signs = (group.HoldsLock ? Sign.HoldsLock : Sign.None) | (group.IsCrowd ? Sign.Crowd : Sign.None)
                | (group.IsOnlyCrowd ? Sign.OnlyCrowd : Sign.None)
                | (group.Requests.All(request => request.IsSharedHere) ? Sign.SharedHere : Sign.None)
                | (unsent is not null ? Sign.Unsent : Sign.None)
                | (first.IsToItself && context.Flows.Server.WaitsForItself ? Sign.ToItself | Sign.RequestsInCircle
                    : handler is null ? Sign.None : Sign.ToItself),
            Watched = [.. group.Requests.Select(request => request.Thread.Thread.OsId)],
            Title = $"{label}{who} {does}{unread}{unsent?.Text ?? Claim.Empty}{answered}{behind}",
            Culprit = handler is not null ? Parties.OfFlow(handler) with { Role = "keeps the process's own requests waiting" }
                : Parties.OfThread(context, leading) with { Role = $"waits {does}{unread}" },
            Chain = ChainTo(context, group),
            Victims = Waiters.PartiesOf(context, group.Victims),
            Evidence = [.. group.Requests.Select(request => Seen(context, request)),
                .. unsent is null ? Array.Empty<Evidence>() : [unsent.Evidence], .. Details(context, group)],
            Gaps = [new Gap("what the other side does", "a dump holds one process")],
            Advice = unsent is null ? OutsideText.Advice(first, group.HoldsLock) : [Unsent.Advice, .. OutsideText.Advice(first, group.HoldsLock)],
            Signature = Signature.Of(Info, first.Thread.Thread.Stack.Frames.SkipWhile(frame => frame != first.Frame)),
        };
    }

    private static Claim HeldBy(RuleContext context, OutsideRequest request)
        => request.Holder is { } holder ? $", in which {Parties.Label(context, holder)} has a transaction open"
            : request.IsLeftOpen ? (Claim)", in which this process has left a transaction open"
            : Claim.Empty;

    // A thread that shows a library alone runs a part of an async method of the program's.
    private static string AwaitedBy(RuleContext context, OutsideGroup group)
        => group.First is { Caller: null, Method: null }
            && EdgesTo(context, group)
                .Select(edge => edge.From.Task is { } task ? context.FindTask(task)?.Method : null)
                .LastOrDefault(method => method is not null && !Frameworks.IsOwn(method)) is { } method
                ? $", which {MethodText.Short(method)} awaits"
                : string.Empty;

    private static IReadOnlyList<ChainLink> ChainTo(RuleContext context, OutsideGroup group) => [.. EdgesTo(context, group).Select(edge => Parties.Link(context, edge))];

    private static IEnumerable<WaitEdge> EdgesTo(RuleContext context, OutsideGroup group)
    {
        WaitNode node = WaitNode.Of(group.First.Thread.Thread.OsId);
        return group.Victims.FirstOrDefault(victim => context.Graph.ChainFrom(victim).Any(edge => edge.To == node)) is { } victim
            ? context.Graph.ChainFrom(victim).TakeWhile(edge => edge.From != node)
            : [];
    }

    private static Evidence Seen(RuleContext context, OutsideRequest request)
        => new($"{Parties.Label(context, request.Thread.Thread.OsId)} is in {Claim.Of(request.Frame)}{(request.Caller is { } caller && caller != request.Frame ? (Claim)$", called from {Claim.Of(caller)}" : Claim.Empty)}", "stack", request.Frame.Trust)
        {
            Thread = request.Thread.Thread.OsId,
            Frame = Claim.Of(request.Frame),
        };

    private static IEnumerable<Evidence> Details(RuleContext context, OutsideGroup group)
    {
        OutsideRequest first = group.First;
        if (first.Peer is { } peer)
        {
            yield return new Evidence($"the other side of its socket is {peer}", first.Source, first.Socket!.Peer!.Trust);
        }

        if (first.IsUnread)
        {
            yield return new Evidence(
                $"{OutsideText.Unread(first)}: a child that writes more than the pipe holds blocks until somebody reads, and does not end", first.Source, first.Child!.Unread.Trust);
        }

        foreach (WaitEdge held in group.Held)
        {
            yield return new Evidence(Parties.Sentence(context, held), held.Source, held.Trust) { Address = held.From.Lock!.Address };
        }

        if (first.Thread.Thread is { } thread && context.Timeline.Of(thread) is { HasMovedOn: false } history)
        {
            yield return new Evidence($"{Parties.Label(context, thread.OsId)} was in the same call {EarlierText.At(history)}", "earlier capture", Trust.Derived);
        }
    }
}
