using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Signals;

/// <summary>Threads or async methods wait for a signal, a promise, an entry or an item, and nothing that runs leads to it.</summary>
public sealed class LostSignalRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT2012", "signal that nobody can give", "Threads or async methods wait for what only they themselves, or others that wait, still lead to.")
    {
        Patterns = Pattern.LostSignal,
        Needs = Need.Managed,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Managed?.Reach?.Gap is { } gap)
        {
            return RuleOutcome.Blind(gap);
        }

        LostWaitWeight weight = new(context);
        return RuleOutcome.Of(
        [
            .. context.LostWaits.Ends().Where(end => end.Count == 1).Select(end => end[0]).Where(wait => weight.Matters(wait) && !IsTasks(context, wait))
                .Select(wait => Describe(context, wait, weight.ThreadsBehind(wait))),
        ]);
    }

    private static Claim Ended(EndedServiceFacts service)
        => service is { HasFailed: true, Exception: { } type }
            ? $"the host's service {MethodText.Short(service.Method)} has failed with {MethodText.Type(type)}"
            : (Claim)$"the host's service {MethodText.Short(service.Method)} has {(service.HasFailed ? "failed" : "ended")}";

    // Threads other than Main that block on a promise are the matter of the rule for tasks.
    private static bool IsTasks(RuleContext context, LostWait wait)
        => wait.Flow is { Waits: { Kind: FlowWaitKind.Task, Address: { } task } } && context.FindTask(task)?.Needs.Any(need => need.Kind == TaskNeedKind.Nobody) == true
            && context.Graph.ThreadsBehind(WaitNode.OfTask(task)).Any(node => context.Find(node.Thread!.Value) is { } thread && !UserCode.IsUnderMain(thread.Thread.Stack.Frames));

    // The first that cannot go on; others stand behind it.
    private static StuckBlockFacts? BlockBehind(RuleContext context, LostWait wait)
        => wait.Flow is { } flow && context.LostWaits.BlockBefore(flow) is { } before ? before
            : DataflowCalls.MayBeOfBlock(wait.Flow?.Waits.Type)
                ? context.LostWaits.StuckBlocks.OrderByDescending(block => block.Links > 0).FirstOrDefault()
            : null;

    private static string NameOf(StuckBlockFacts block) => MethodText.Short(block.Field ?? block.Type);

    private static string Takers(StuckBlockFacts block) => block.Links switch
    {
        0 => "nobody takes: it is linked to no other",
        1 => "its one link does not take",
        int links => $"none of its {links} links takes",
    };

    private Observation Describe(RuleContext context, LostWait wait, IReadOnlyList<ThreadId> behind)
    {
        Party waiter = wait.Party(context);
        ReachHolder? garbage = wait.Reach.Holders.FirstOrDefault(holder => holder.IsGarbage);
        Claim text = LostWaitText.Of(context, wait);
        StuckBlockFacts? block = garbage is null ? BlockBehind(context, wait) : null;
        EndedServiceFacts[] ended = [.. context.LostWaits.LeftBy(wait.Reach)];
        Claim why = ended.Length > 0 ? (Claim)$"nobody brings that any more: {Ended(ended[0])}"
            : block is not null ? (Claim)$"block {NameOf(block)} has an item that {Takers(block)}: all that is behind it waits"
            : context.LostWaits.AbandonedGiver(wait.Reach) is { } abandoned
                ? (Claim)$"async method {MethodText.Short(abandoned)}, which alone was to end that wait, waits for what nobody has, "
                    + "and can never continue"
            : garbage is null ? (Claim)"nothing left in the process can end that wait"
            : (Claim)$"async method {MethodText.Short(garbage.Method!)}, which was to end that wait, can never continue";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.LostSignal,
            Links = LinkTrust.Concluded,
            Signs = wait.Reach.IsInStatic ? Sign.InStatic : Sign.None,
            Title = $"{text}, and {why}",
            Culprit = garbage is { Flow: { } flow }
                ? Party.OfTask(flow, $"async method {MethodText.Short(garbage.Method!)}") with { Role = "nothing leads to what it waits for but itself" }
                : block is not null
                    ? Party.OfTask(block.Address, $"block {NameOf(block)}") with { Role = $"has an item that {Takers(block)}" }
                : ended is [{ Task: { } task } service, ..]
                    ? Party.OfTask(task, $"service {MethodText.Short(service.Method)}") with { Role = $"{Ended(service)}" }
                : waiter with { Role = "waits for what nothing that runs leads to" },
            Victims = [waiter, .. behind.Select(thread => Parties.OfThread(context, thread)).Where(party => !party.IsSame(waiter)), .. context.LostWaits.Behind(wait).Select(other => other.Party(context))],
            Evidence =
            [
                new Evidence(text, "stack and heap", Trust.Derived) { Thread = waiter.Thread, Address = waiter.Task },
                .. ended.Select(service => new Evidence(Ended(service), "task of the service", Trust.Read)),
                .. LostWaitText.Looked(context, wait),
            ],
            Advice =
            [
                block is not null
                    ? "Link the block for every item that it can have: without a condition, last, or to DataflowBlock.NullTarget."
                    : DataflowCalls.IsCompletion(wait.Flow?.Waits.Type)
                    ? "Link the blocks with PropagateCompletion = true, or call Complete on each when the one before it has completed."
                    : $"Look {LostWaitText.Giving(wait)}: every way out, errors and cancellation too, has to.",
                "Wait with a timeout or a CancellationToken where the signal may not come.",
            ],
            Signature = LostWaitText.Signature(context, Info, [wait]),
            Watched = [.. wait.Waits.Select(own => own.Thread)],
        };
    }
}
