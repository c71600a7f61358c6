using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Loader;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Spinning;

/// <summary>
/// A thread that gives its time slice away again and again and burns CPU doing so. One that holds what others wait for
/// is the culprit; one that holds nothing is a runaway. The owner of the loader lock is another rule's.
/// </summary>
public sealed class SpinningThreadRule : IRule
{
    public RuleInfo Info { get; } = new("HT4001", "spinning thread", "A thread burns CPU in a loop that yields, sleeps for no time or pauses.");

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Threads.Gap is { } gap)
        {
            return RuleOutcome.Blind(gap);
        }

        SpinSignals[] threads = [.. context.Threads.Select(thread => SpinSignals.Of(thread, context))];
        Finding[] findings =
        [
            .. threads.Where(thread => IsWorthSaying(context, thread) && !KeepsTheLoader(context, thread)).Select(thread => Describe(context, thread)),
        ];
        if (findings.Length > 0)
        {
            return RuleOutcome.Found(findings);
        }

        SpinSignals[] halfSeen = [.. threads.Where(thread => thread.IsHalfSeen)];
        if (halfSeen.FirstOrDefault(thread => HoldsOthersUp(context, thread)) is { } half)
        {
            return RuleOutcome.Blind(WhatIsMissing(context, half));
        }

        // One thread of which something is known shows that the input carries what judging takes. A spinner that nobody
        // waits for would be no hang, so those that are half seen forbid no verdict.
        return threads.Any(thread => thread.Spins is not null || thread.IsHalfSeen)
            ? RuleOutcome.Clean([.. halfSeen.Select(thread => WhatIsMissing(context, thread))])
            : RuleOutcome.Blind(new Gap("what the threads do", "neither their CPU times nor the functions they are in are in the input"));
    }

    private static Gap WhatIsMissing(RuleContext context, SpinSignals half)
        => half.LoopsWaiting == true
            ? new Gap($"CPU time of {Parties.Label(context, half.Thread.OsId)}", half.Cpu.Gap!.Why)
            : new Gap(
                $"what {Parties.Label(context, half.Thread.OsId)} does with its CPU time",
                half.Thread.Stack.Stopped?.Why ?? "nothing names the function that it is in");

    // A loop around a yield and a little CPU are nothing to speak of, unless somebody waits for the thread.
    private static bool IsWorthSaying(RuleContext context, SpinSignals thread)
        => thread.Spins == true && (thread.IsBusy != false || HoldsOthersUp(context, thread));

    private static bool HoldsOthersUp(RuleContext context, SpinSignals thread)
        => context.Graph.ThreadsBehind(WaitNode.Of(thread.Thread.OsId)).Count > 0;

    private static bool KeepsTheLoader(RuleContext context, SpinSignals thread)
        => context.Graph.To(WaitNode.Of(thread.Thread.OsId))
            .Any(held => held.From.Lock is { } @lock && LoaderLocks.IsOne(@lock) && context.Graph.To(held.From).Count > 0);

    private Finding Describe(RuleContext context, SpinSignals thread)
    {
        WaitNode node = WaitNode.Of(thread.Thread.OsId);
        IReadOnlyList<WaitNode> waiters = context.Graph.ThreadsBehind(node);
        WaitEdge[] held = [.. context.Graph.To(node).Where(edge => context.Graph.To(edge.From).Count > 0)];
        bool holdsOthersUp = waiters.Count > 0 && held.Length > 0;

        string label = Parties.Label(context, thread.Thread.OsId);
        string call = SpinText.Caught(thread);
        string where = thread.Site is { } site ? $" in {FrameText.Of(site)}" : string.Empty;
        string loop = SpinText.Loop(thread);
        string burned = thread.Cpu.TryGet(out CpuShare? share) ? $" and has burned {SpinText.Duration(share.Time.Total())} of CPU" : string.Empty;
        return new Finding
        {
            Rule = Info,
            Severity = holdsOthersUp ? Severity.Hang : Severity.Warning,
            Kind = holdsOthersUp ? VerdictKind.SpinningOwner : VerdictKind.BusyNotHung,
            Confidence = thread.IsConfirmed ? Confidence.Likely : Confidence.Possible,
            ConfidenceReason = SpinText.Reason(thread),
            Title = holdsOthersUp
                ? $"{label} holds {Parties.Of(context, held[0].From).Label} and spins ({call}{where}){loop}{burned}"
                : $"{label} spins ({call}{where}){loop}{burned}; nobody is seen to wait for it",
            Culprit = Parties.OfThread(context, thread.Thread.OsId) with { Role = $"spins: {call}{where}{loop}" },
            Chain = holdsOthersUp
                ? [Parties.Link(context, context.Graph.To(held[0].From)[0]), Parties.Link(context, held[0])]
                : [],
            Victims = [.. waiters.Select(waiter => Parties.Of(context, waiter))],
            Evidence = [.. SpinText.Evidence(thread, label)],
            Contradictions = [.. SpinText.Contradictions(thread, label)],
            Gaps = SpinText.Gaps(thread),
            Advice = [$"Look at what the loop{where} waits for, and let it wait on an event or a condition instead."],
            Signature = Signature.Of(Info, thread.Thread.Stack.Frames),
        };
    }
}
