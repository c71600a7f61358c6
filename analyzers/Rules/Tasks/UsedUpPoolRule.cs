using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Tasks;

/// <summary>Async methods wait for a connection of a pool of which every one is taken, and none of those does anything.</summary>
public sealed class UsedUpPoolRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT2014",
        "connection pool used up",
        "Async methods wait for a connection of a pool; all of its connections are taken, and none is working, or nobody else has them.")
    {
        Patterns = Pattern.PoolUsedUp,
        Needs = Need.Threads | Need.Managed,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return context.Managed?.Flows is not { } known ? RuleOutcome.NotApplicable("the facts were captured without a look at async methods")
            : known.Gap is { } gap ? RuleOutcome.Blind(gap)
            : RuleOutcome.Of([.. context.Flows.Groups.Where(group => IsUsedUp(context, group)).Select(group => Describe(context, group))]);
    }

    private static bool IsUsedUp(RuleContext context, FlowGroup group)
        => group is { State: FlowState.Suspended, Waits.Pool: { } pool }
            && !group.Waits.IsLimited()
            && pool.IsUsedUp()
            && IsFor(group)
            && !context.Timeline.HasMovedOn(group)
            && !Frameworks.IsOwn(group.Method)
            && (IsLimiter(pool)
                ? SignOf(pool) != Sign.None && !LimiterMayWork(context)
                : SignOf(pool) != Sign.None || IsIdle(context, group, pool));

    private static bool IsLimiter(FlowPool pool) => pool.Type == ResourceCalls.Limiter;

    // A permit on its way, to who waits or back to the limiter, is nobody's.
    private static bool LimiterMayWork(RuleContext context)
        => !context.Snapshot.Threads.HasValue
            || context.Threads.SelectMany(thread => thread.Thread.Stack.Frames)
                .Any(frame => frame.Method is { } method && ResourceCalls.IsOfLimiter(method));

    private static bool IsIdle(RuleContext context, FlowGroup group, FlowPool pool)
        => !Works(context, pool) && !context.Flows.IsInOtherHands(group) && !context.Flows.SomethingMoves();

    // Nobody has them any more, or only those who give one back when they have got another: whatever else moves can give none back.
    private static Sign SignOf(FlowPool pool)
        => pool.Kept == 0 ? Sign.Forgotten : pool.LentToWaiters >= pool.Used ? Sign.LentToWaiters : Sign.None;

    private static bool IsFor(FlowGroup group)
        => ResourceCalls.Find(group.Method) is not null || (group.Waits is { Kind: FlowWaitKind.Task, Type: { } type }
                && (ResourceCalls.IsPooledConnection(type) || ResourceCalls.IsPermit(type)));

    // A connection in a command, or a request that has one, comes back when its answer does.
    private static bool Works(RuleContext context, FlowPool pool)
        => pool.Working is { } working ? working > 0
            : context.Flows.Groups.Any(group => group.Waits.Kind == FlowWaitKind.InputOutput && group.Waits.Pool?.Type == pool.Type)
                || context.Threads.Any(thread => thread.Thread.Stack.Frames.Any(frame => frame.Method?.StartsWith("System.Net.Http.HttpConnection", StringComparison.Ordinal) == true));

    private Observation Describe(RuleContext context, FlowGroup group)
    {
        FlowPool pool = group.Waits.Pool!;
        string method = MethodText.Short(group.AwaitedBy.Prepend(group.Method).FirstOrDefault(name => !OutsideCall.IsOfClient(name)) ?? group.Method);
        string source = group.Source is { } line && MethodText.Short(group.Method) == method ? $" ({line})" : string.Empty;
        string who = group.Count == 1 ? $"Async method {method}{source} waits" : $"{group.Count} x async method {method}{source} wait";
        Sign sign = SignOf(pool);
        string holders = sign switch
        {
            Sign.Forgotten => "nobody has them any more",
            Sign.LentToWaiters => "only those who wait have them",
            _ => "none of them is working",
        };
        (string thing, string giver, string title) = IsLimiter(pool) ? ("permit", "limiter", "limiter") : ("connection", "pool", "connection pool");
        string taken = $"{pool.Used} of {pool.Most} are taken, and {holders}";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.PoolUsedUp,
            Links = LinkTrust.Concluded,
            Signs = sign,
            Title = $"{who} for a {thing} of the {title} {MethodText.Short(pool.Type)}: {taken}",
            Culprit = Parties.OfFlow(group) with { Role = $"waits in {method} for a {thing}: {taken}" },
            Victims = [Parties.OfFlow(group)],
            Evidence =
            [
                new Evidence(
                    $"{MethodText.Short(pool.Type)}: {taken}",
                    sign == Sign.None ? "fields of the pool" : $"fields of the {giver}, and what leads to its {thing}s",
                    sign == Sign.None ? Trust.Read : Trust.Derived),
                new Evidence(FlowText.Of(group), "heap walk", Trust.Derived) { Address = group.Sample },
                .. FlowText.AwaitedBy(group) is { } callers ? new[] { new Evidence($"awaited by {callers}", "heap walk", Trust.Derived) } : [],
            ],
            Gaps = sign == Sign.LentToWaiters ? []
                : [new Gap($"who {(sign == Sign.Forgotten ? "took" : "has")} the {thing}s", $"the {giver} does not record who took them")],
            Advice =
            [
                sign == Sign.LentToWaiters ? $"Pass on the {thing} that you have, or give it back before you ask for another one."
                    : IsLimiter(pool) ? "Look for a lease that is not disposed on every way out, exceptions too: take it with \"using\"."
                    : "Look for a connection, reader or response that is kept or not disposed: use \"await using\" for each.",
                $"Give the wait for a {thing} a timeout: then who waits gets an error that says so.",
            ],
            Signature = Signature.OfMethods(Info, group.Method),
        };
    }
}
