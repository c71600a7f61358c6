using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Stalls;

/// <summary>
/// A thread waits in a loop until an object is collected, mostly a load context that was told to unload, and something keeps it.
/// </summary>
public sealed class HeldUpCollectionRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT6008", "unload that does not end", "A thread waits until a load context is unloaded or another object is collected, and something keeps it.")
    {
        Patterns = Pattern.CollectionHeldUp,
        Needs = Need.Threads | Need.Managed,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        return context.Managed?.CollectionWaits is not { } known ? RuleOutcome.Clean()
            : !known.TryGet(out IReadOnlyList<CollectionWaitFacts>? waits) ? RuleOutcome.Of([], [known.Gap!])
            : RuleOutcome.Of(
                [.. waits.Where(wait => wait.Keeper.TryGet(out KeeperFacts? keeper) && IsForGood(context, wait.Thread, keeper)).Select(wait => Describe(context, wait, wait.Keeper.Value))]);
    }

    // A thread that is not blocked may leave its method; what a static field or a handle keeps is let go by code that runs.
    private static bool IsForGood(RuleContext context, ThreadId waiter, KeeperFacts keeper) => keeper switch
    {
        { By: FlowRoot.Thread, Thread: { } thread } when thread != waiter => StuckRunner.Of(context, thread, besides: waiter) is not null,
        { By: FlowRoot.Thread or FlowRoot.Static or FlowRoot.GcHandle } => !StuckRunner.SomethingMoves(context, new HashSet<ThreadId> { waiter }),
        _ => false,
    };

    private Observation Describe(RuleContext context, CollectionWaitFacts wait, KeeperFacts keeper)
    {
        Claim waiter = Parties.Label(context, wait.Thread);
        Claim what = CollectionText.Until(wait);
        Claim keeps = CollectionText.Keeper(context, wait, keeper);
        bool isOther = keeper.Thread is { } thread && thread != wait.Thread;
        ThreadFacts end = context.Find(wait.Thread)!.Thread;
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.CollectionHeldUp,
            Links = LinkTrust.Concluded,
            Watched = isOther ? [wait.Thread, keeper.Thread!.Value] : [wait.Thread],
            Title = $"{waiter} waits{(WaitPlace.Of(end) is { } at ? $" in {at}" : Claim.Empty)} until {what}, and {keeps}",
            Culprit = isOther
                ? Parties.OfThread(context, keeper.Thread!.Value) with { Role = $"keeps what {waiter} waits to be collected" }
                : Parties.OfThread(context, wait.Thread) with { Role = $"waits until {what}" },
            Victims = isOther ? [Parties.OfThread(context, wait.Thread)] : [],
            Evidence =
            [
                new Evidence($"{waiter} looks again and again whether the object of a WeakReference is collected", "instructions of the method", Trust.Derived) { Thread = wait.Thread, Address = wait.Awaited },
                new Evidence(keeps, "search of the heap and the stacks", Trust.Derived) { Thread = keeper.Thread },
                .. keeper.Path.Count > 0 ? new[] { new Evidence(CollectionText.Path(keeper), "search of the heap", Trust.Derived) } : [],
            ],
            Gaps = [new Gap("other things that keep the object", "the search ends at the first: there can be more")],
            Advice = [AdviceFor(wait, keeper), "Give the wait a limit, and say after it what was not unloaded."],
            Signature = Signature.Of(Info, end.Stack.Frames),
        };
    }

    private static Claim AdviceFor(CollectionWaitFacts wait, KeeperFacts keeper) => keeper switch
    {
        { By: FlowRoot.Static, Name: { } name } => (Claim)$"Let {MethodText.Short(name)} go of it before the wait: remove the object, or unsubscribe the handler.",
        { By: FlowRoot.GcHandle } => "Free the GCHandle before the wait.",
        { By: FlowRoot.Thread } when keeper.Thread == wait.Thread => "Put the work with the object into a method of its own that is not inlined: variables of the method that waits keep it.",
        { By: FlowRoot.Thread } => "End the thread's work in that code before the wait: a method that runs keeps its assembly.",
        _ => "Let go of the object before the wait.",
    };
}
