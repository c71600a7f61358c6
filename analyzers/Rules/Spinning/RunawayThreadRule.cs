using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Spinning;

/// <summary>
/// One thread computes and has used nearly all the CPU of its process, and nobody waits for it. That is no hang; it is
/// what a person who sees a busy processor asks for. Several threads that share the work are a busy program, not a runaway.
/// </summary>
public sealed class RunawayThreadRule : IRule
{
    public RuleInfo Info { get; } = new(
        "HT4002", "runaway thread", "One thread computes, has used nearly all the CPU of its process, and nobody waits for it.") { FindsHangs = false };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (context.Snapshot.Threads.Gap is { } gap)
        {
            return RuleOutcome.Blind(gap);
        }

        if (context.Threads.FirstOrDefault(thread => !thread.Thread.Cpu.HasValue) is { } unknown)
        {
            return RuleOutcome.Blind(unknown.Thread.Cpu.Gap!);
        }

        SpinSignals? runaway = context.Threads
            .Select(thread => SpinSignals.Of(thread, context))
            .FirstOrDefault(thread => thread.Computes && Dominates(context, thread) && !HoldsOthersUp(context, thread));
        return runaway is null ? RuleOutcome.Clean() : RuleOutcome.Found([Describe(context, runaway)]);
    }

    private static bool Dominates(RuleContext context, SpinSignals thread)
        => thread.Cpu.Is(share => share.IsMuch && share.Dominates(context.ProcessCpu));

    private static bool HoldsOthersUp(RuleContext context, SpinSignals thread)
        => context.Graph.ThreadsBehind(WaitNode.Of(thread.Thread.OsId)).Count > 0;

    private Finding Describe(RuleContext context, SpinSignals thread)
    {
        string label = Parties.Label(context, thread.Thread.OsId);
        TimeSpan burned = thread.Cpu.Value.Time.Total();
        string where = (thread.Site is { } site ? $" in {FrameText.Of(site)}" : string.Empty) + SpinText.Loop(thread);
        return new Finding
        {
            Rule = Info,
            Severity = Severity.Warning,
            Kind = VerdictKind.BusyNotHung,
            Confidence = Confidence.Likely,
            ConfidenceReason = thread.IsSameLoop
                ? $"it was there {SpinText.Duration(thread.Progress!.Between)} earlier and burned CPU since; whether its work ends is in no capture"
                : "it was caught computing, and nobody is seen to wait for it; one capture cannot show whether its work ends",
            Title = $"{label} computes{where} and has burned {SpinText.Duration(burned)} of CPU; nobody is seen to wait for it",
            Culprit = Parties.OfThread(context, thread.Thread.OsId) with { Role = $"computes{where}" },
            Evidence = [.. SpinText.Evidence(thread, label), ShareOfProcess(context, thread, label)],
            Gaps = SpinText.Gaps(thread),
            Advice =
            [
                $"If this work should have ended, look at what ends the loop{where}.",
                "If it should be there, nothing hangs: it takes one processor.",
            ],
            Signature = Signature.Of(Info, thread.Thread.Stack.Frames),
        };
    }

    private static Evidence ShareOfProcess(RuleContext context, SpinSignals thread, string label)
        => new(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{label} has used {thread.Cpu.Value.Time.Total() / context.ProcessCpu:P0} of the CPU of all {context.Threads.Count} threads"),
            "thread times",
            Trust.Derived)
        {
            Thread = thread.Thread.OsId,
        };
}
