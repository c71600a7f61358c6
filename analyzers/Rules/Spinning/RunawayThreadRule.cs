using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Spinning;

/// <summary>
/// One thread computes and has used nearly all the CPU of its process, and nobody waits for it. That is no hang; it is
/// what a person who sees a busy processor asks for. Several threads that share the work are a busy program, not a runaway.
/// </summary>
public sealed class RunawayThreadRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT4002", "runaway thread", "One thread computes, has used nearly all the CPU of its process, and nobody waits for it.")
    {
        Patterns = Pattern.ComputesAlone,
        Needs = Need.Threads,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Threads.FirstOrDefault(thread => !thread.Thread.Cpu.HasValue) is { } unknown)
        {
            return RuleOutcome.Blind(unknown.Thread.Cpu.Gap!);
        }

        SpinSignals? runaway = context.Spins
            .FirstOrDefault(thread => thread.Computes && Dominates(context, thread) && context.Graph.ThreadsBehind(WaitNode.Of(thread.Thread.OsId)).Count == 0);
        return RuleOutcome.Of(runaway is null ? [] : [Describe(context, runaway)]);
    }

    private static bool Dominates(RuleContext context, SpinSignals thread)
        => thread.Cpu.Is(share => share.IsMuch && share.Dominates(context.ProcessCpu));

    private Observation Describe(RuleContext context, SpinSignals thread)
    {
        Claim label = Parties.Label(context, thread.Thread.OsId);
        Claim where = $"{SpinText.Site(thread)}{SpinText.Loop(thread)}";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.ComputesAlone,
            Signs = thread.Signs,
            Title = $"{label} computes{SpinText.Place(thread)}{SpinText.Burned(thread)}; {Waiters(context)}",
            Culprit = Parties.OfThread(context, thread.Thread.OsId) with { Role = $"computes{where}" },
            Evidence = [.. SpinText.Evidence(thread, label), ShareOfProcess(context, thread, label)],
            Gaps = SpinText.Gaps(thread),
            Advice =
            [
                $"Look at what ends the loop{SpinText.Site(thread)}, if this work should have ended.",
                "Leave it if it should be there: nothing hangs, it takes one processor.",
            ],
            Signature = Signature.Of(Info, thread.Thread.Stack.Frames),
        };
    }

    private static Claim Waiters(RuleContext context)
        => context.Threads.Count(thread => LockEntry.IsOfUnknownLock(context, thread)) is > 0 and int count
            ? (Claim)$"{Count.Of(count, "thread")} {(count == 1 ? "waits" : "wait")} for a lock that could not be found, which it may hold"
            : "nobody is seen to wait for it";

    private static Evidence ShareOfProcess(RuleContext context, SpinSignals thread, Claim label)
    {
        double share = thread.Cpu.Value.Time.Total() / context.ProcessCpu!.Value;
        return new Evidence($"{label} has used {share:P0} of the CPU of all {context.Threads.Count} threads", "thread times", Trust.Derived)
        {
            Thread = thread.Thread.OsId,
        };
    }
}
