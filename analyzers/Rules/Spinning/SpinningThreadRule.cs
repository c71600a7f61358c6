using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Spinning;

/// <summary>
/// A thread that gives its time slice away again and again and burns CPU doing so. One that holds what others wait for
/// is the culprit; one that holds nothing is a runaway. The owner of the loader lock is another rule's.
/// </summary>
public sealed class SpinningThreadRule : IRule
{
    public RuleInfo Info { get; } = new("HT4001", "spinning thread", "A thread burns CPU in a loop that yields, sleeps for no time or pauses.")
    {
        Patterns = Pattern.OwnerSpins | Pattern.SpinsAlone,
        Needs = Need.Threads,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        Observation[] found =
        [
            .. context.Spins.Where(thread => IsWorthSaying(context, thread) && !Spinners.KeepsTheLoader(context, thread)).Select(thread => Describe(context, thread)),
        ];
        SpinSignals[] halfSeen = [.. context.Spins.Where(thread => thread.IsHalfSeen)];
        Gap[] hidden =
        [
            .. halfSeen.Where(thread => Spinners.HoldsOthersUp(context, thread)).Take(1).Select(thread => WhatIsMissing(context, thread)),
            .. context.Spins.Where(thread => MayPause(context, thread)).Select(thread => thread.Thread.Loop!.Gap!).Distinct(),
        ];
        if (found.Length > 0 || hidden.Length > 0)
        {
            return RuleOutcome.Of(found, hidden);
        }

        // One thread of which something is known shows that the input carries what judging takes. A spinner that nobody
        // waits for would be no hang, so those that are half seen forbid no verdict.
        return context.Spins.Any(thread => thread.Spins is not null || thread.IsHalfSeen) || context.Snapshot.Threads.Gap is not null
            ? RuleOutcome.Clean([.. halfSeen.Select(thread => WhatIsMissing(context, thread))])
            : RuleOutcome.Blind(new Gap("what the threads do", "neither their CPU times nor the functions they are in are in the input"));
    }

    private static Gap WhatIsMissing(RuleContext context, SpinSignals half)
        => half.LoopsWaiting == true
            ? new Gap($"CPU time of {Parties.Label(context, half.Thread.OsId)}", half.Cpu.Gap!.Why)
            : new Gap(
                $"what {Parties.Label(context, half.Thread.OsId)} does with its CPU time",
                half.Thread.Stack.Stopped?.Why ?? "nothing names the function that it is in");

    // Its code, which was not seen, would tell a loop that pauses from work.
    private static bool MayPause(RuleContext context, SpinSignals thread)
        => thread is { State: ThreadActivity.Running, IsBusy: true, Thread.Loop.Gap: not null } && Spinners.HoldsOthersUp(context, thread);

    // A loop around a yield and a little CPU are nothing to speak of, unless somebody waits for the thread.
    private static bool IsWorthSaying(RuleContext context, SpinSignals thread)
        => thread.Spins == true && (thread.IsBusy != false || Spinners.HoldsOthersUp(context, thread));

    private Observation Describe(RuleContext context, SpinSignals thread)
    {
        WaitNode node = WaitNode.Of(thread.Thread.OsId);
        IReadOnlyList<WaitNode> waiters = context.Graph.ThreadsBehind(node);
        WaitEdge[] held = [.. context.Graph.To(node).Where(edge => context.Graph.To(edge.From).Count > 0)];
        bool holdsOthersUp = waiters.Count > 0 && held.Length > 0;
        Claim label = Parties.Label(context, thread.Thread.OsId);
        Claim where = SpinText.Site(thread);
        Claim call = $"{SpinText.Caught(thread)}{where}";
        Claim loop = SpinText.Loop(thread);
        Claim burned = SpinText.Burned(thread);
        return new Observation
        {
            Rule = Info,
            Pattern = holdsOthersUp ? Pattern.OwnerSpins : Pattern.SpinsAlone,
            Links = Links.Weakest(held.Select(edge => edge.Trust)),
            Signs = thread.Signs,
            Title = holdsOthersUp
                ? (Claim)$"{label} holds {Parties.Of(context, held[0].From)} and spins ({call}){burned}"
                : $"{label} spins ({call}){burned}; nobody is seen to wait for it",
            Culprit = Parties.OfThread(context, thread.Thread.OsId) with { Role = $"spins: {call}{loop}" },
            Chain = holdsOthersUp
                ? [Parties.Link(context, context.Graph.To(held[0].From)[0]), Parties.Link(context, held[0])]
                : [],
            Victims = Waiters.PartiesOf(context, waiters),
            Evidence = [.. SpinText.Evidence(thread, label)],
            Contradictions = [.. SpinText.Contradictions(thread, label)],
            Gaps = SpinText.Gaps(thread),
            Advice = [$"Look at what the loop{where} waits for, and let it wait on an event or a condition instead."],
            Signature = Signature.Of(Info, thread.Thread.Stack.Frames),
        };
    }
}
