using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Outside;

/// <summary>Async methods wait for an answer from outside; no thread need be blocked.</summary>
public sealed class OutsideFlowRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT8002", "async requests to the outside", "Async methods that others depend on, or a crowd of them without a timeout, wait for another process or a server.")
    {
        Patterns = Pattern.OutsideRequest,
        Needs = Need.Managed,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return context.Managed?.Flows is not { } known ? RuleOutcome.NotApplicable("the facts were captured without a look at async methods")
            : known.Gap is { } gap ? RuleOutcome.Blind(gap)
            : Look(context, new OutsideFlows(context));
    }

    // Without the readers of queues a reader that is stuck is no more than one request.
    private RuleOutcome Look(RuleContext context, OutsideFlows flows)
        => RuleOutcome.Of(
            [.. flows.Find().Select(found => Describe(context, found))],
            [.. context.Managed?.QueueReaders?.Gap is { } unseen && flows.MayHideReader ? [unseen] : Array.Empty<Gap>()]);

    private Observation Describe(RuleContext context, AsyncRequest request)
    {
        (FlowGroup group, IReadOnlyList<FlowGroup> behind) = (request.Group, request.Behind);
        string method = group.AwaitedBy.Prepend(group.Method).FirstOrDefault(name => !OutsideCall.IsOfClient(name) && !context.Flows.IsOfLibrary(name)) ?? group.Method;
        string peer = request.Child is { } child ? OutsideText.Child(child)
            : request.Socket?.Peer is { } known && known.TryGet(out string? name) ? OutsideText.Peer(name, context.Flows.Server.IsPeerOf(request.Socket))
            : "the other side";
        string source = group.Source is { } line && method == group.Method ? $" ({line})" : string.Empty;
        string who = group.Count == 1 ? $"async method {MethodText.Short(method)}{source} waits" : $"{group.Count} x async method {MethodText.Short(method)}{source} wait";
        bool isToItself = context.Flows.Server.IsPeerOf(request.Socket);
        Unsent? unsent = Unsent.To(context, request.Socket);
        FlowGroup? handler = isToItself && unsent is null
            ? context.Flows.Server.SlowHandler ?? context.Flows.Server.OtherEnd(request.Socket) : null;
        Claim answered = handler is null ? Claim.Empty : $"; of the handlers, {FlowText.Of(handler)}";
        Claim queue = behind.Count == 0 ? Claim.Empty : $"; {FlowText.Of(behind[0])}, which {MethodText.Short(method)} empties";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.OutsideRequest,
            YieldsToOthers = isToItself && unsent is null,
            Links = LinkTrust.Concluded,
            Limit = TimeLimit.Unknown,
            Signs = (group.Count >= Thresholds.Crowd ? Sign.Crowd : Sign.None)
                | (isToItself ? Sign.ToItself : Sign.None)
                | (unsent is not null ? Sign.Unsent : Sign.None)
                | (isToItself && context.Flows.Server.WaitsForItself ? Sign.RequestsInCircle : Sign.None),
            Title = $"{who} for an answer from {peer}{unsent?.Text ?? Claim.Empty}{answered}{queue}",
            Culprit = handler is not null
                ? Parties.OfFlow(handler) with { Role = "keeps the process's own requests waiting" }
                : Parties.OfFlow(group) with { Role = $"waits in {MethodText.Short(method)} for an answer from {peer}" },
            Victims = [.. handler is null ? [] : new[] { Parties.OfFlow(group) }, .. behind.Select(Parties.OfFlow)],
            Evidence =
            [
                new Evidence(FlowText.Of(group), "heap walk", Trust.Derived) { Address = group.Sample },
                .. handler is null ? []
                    : new[] { new Evidence(FlowText.Of(handler), "heap walk", Trust.Derived) { Address = handler.Sample } },
                .. unsent is null ? Array.Empty<Evidence>() : [unsent.Evidence],
                .. FlowText.AwaitedBy(group) is { } callers ? new[] { new Evidence($"awaited by {callers}", "heap walk", Trust.Derived) } : [],
                .. behind.Select(writer => new Evidence($"behind it: {FlowText.Of(writer)}", "heap walk", Trust.Derived) { Address = writer.Sample }),
            ],
            Gaps = [new Gap("what the other side does", "a dump holds one process")],
            Advice =
            [
                unsent is not null ? Unsent.Advice
                    : handler is not null
                    ? $"Look at what ends the wait of {MethodText.Short(handler.Method)}: every way out of that code has to."
                    : isToItself
                    ? "Look at both ends of the connection in this process: who is to read the request, and whether it was sent to its end."
                    : $"Look at what {peer} does at this time: a dump of that process, its log, the state of the connection.",
                "Give the request a timeout or a CancellationToken, and handle its end.",
            ],
            Signature = Signature.OfMethods(Info, method),
        };
    }
}
