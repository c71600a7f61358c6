using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules;

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
        Finding[] findings = [.. threads.Where(thread => thread.Spins == true).Select(thread => Describe(context, thread))];
        if (findings.Length > 0)
        {
            return RuleOutcome.Found(findings);
        }

        if (threads.FirstOrDefault(thread => thread.IsHalfSeen) is { } half)
        {
            return RuleOutcome.Blind(WhatIsMissing(context, half));
        }

        // One thread that could be judged shows that the input carries what judging takes.
        return threads.Any(thread => thread.Spins == false)
            ? RuleOutcome.Clean()
            : RuleOutcome.Blind(new Gap("what the threads do", "neither their CPU times nor the functions they are in are in the input"));
    }

    private static Gap WhatIsMissing(RuleContext context, SpinSignals half)
        => half.Yields == true
            ? new Gap($"CPU time of {Parties.Label(context, half.Thread.OsId)}", half.Cpu.Gap!.Why)
            : new Gap(
                $"what {Parties.Label(context, half.Thread.OsId)} does with its CPU time",
                half.Thread.Stack.Stopped?.Why ?? "nothing names the function that it is in");

    private Finding Describe(RuleContext context, SpinSignals thread)
    {
        WaitNode node = WaitNode.Of(thread.Thread.OsId);
        WaitNode[] waiters = [.. context.Graph.UpstreamOf([node]).Where(other => other.Thread is not null)];
        WaitEdge[] held = [.. context.Graph.To(node).Where(edge => context.Graph.To(edge.From).Count > 0)];
        bool holdsOthersUp = waiters.Length > 0 && held.Length > 0;
        bool isLoaderOwner = held.Any(edge => edge.From.Lock?.Kind == LockKind.LoaderLock);

        string label = Parties.Label(context, thread.Thread.OsId);
        string call = SpinText.Call(thread, thread.Yield!.Method!);
        string where = thread.Loop is { } loop ? $" in {FrameText.Of(loop)}" : string.Empty;
        string burned = $"has burned {SpinText.Duration(thread.Cpu.Value.Time.Total())} of CPU";
        return new Finding
        {
            Rule = Info,
            Severity = holdsOthersUp && !isLoaderOwner ? Severity.Hang : Severity.Warning,
            Kind = holdsOthersUp ? VerdictKind.SpinningOwner : VerdictKind.BusyNotHung,
            Confidence = Confidence.Likely,
            ConfidenceReason = "two signs agree: it was caught in a yield, and it has been busy for much of its life; one capture cannot show that the loop goes on",
            Title = holdsOthersUp
                ? $"{label} holds {Parties.Of(context, held[0].From).Label}, spins ({call}{where}) and {burned}"
                : $"{label} spins ({call}{where}) and {burned}; nobody is seen to wait for it",
            Culprit = Parties.OfThread(context, thread.Thread.OsId) with { Role = $"spins: {call}{where}" },
            Chain = holdsOthersUp
                ? [Parties.Link(context, context.Graph.To(held[0].From)[0]), Parties.Link(context, held[0])]
                : [],
            Victims = [.. waiters.Select(waiter => Parties.Of(context, waiter))],
            Evidence = [.. SpinText.Evidence(thread, label)],
            Advice = [$"Look at what the loop{where} waits for, and let it wait on an event or a condition instead."],
            Signature = Signature.Of(Info, thread.Thread.Stack.Frames),
        };
    }
}
