using HangTriage.Facts;
using HangTriage.Facts.Calls;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Stalls;

/// <summary>A process that was told to end does not: a handler of its exit, or of the signal, waits.</summary>
public sealed class ProcessEndRule : IRule
{
    private const string Briefly = "Let handlers of the process's end neither wait without a timeout nor take locks: the thread that ends the process waits for them.";

    public RuleInfo Info { get; } = new(
        "HT6007", "process that does not end", "A process that was told to end does not, because a handler of its exit or of a signal waits.")
    {
        Patterns = Pattern.ManagedLockCycle | Pattern.RuntimeStuck,
        Needs = Need.Threads | Need.Managed | Need.ManagedLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        RuntimeWait waits = new(context, Info, LockKind.ExitHandlers, Briefly, "Do not call Environment.Exit under a lock that such a handler takes, nor on a thread whose end it waits for.");
        Observation[] exits = [.. waits.Circles(CycleClass.ExitHandlers), .. waits.Stuck()];
        Observation[] found = exits.Length > 0 ? exits : [.. context.Threads.Select(thread => OfSignal(context, thread)).OfType<Observation>().Take(1)];
        return found.Length > 0 ? RuleOutcome.Of(found) : RuleOutcome.Of([], [.. waits.Unseen(), .. UnseenOfSignals(context)]);
    }

    private static IEnumerable<Gap> UnseenOfSignals(RuleContext context)
        => context.Threads
            .Where(thread => thread.State == ThreadActivity.WaitsForObject && SignalHandlers.IsRunBy(thread.Thread))
            .SelectMany(thread => context.WaitsOf(thread.Thread.OsId))
            .Select(wait => wait.Timeout.Gap)
            .OfType<Gap>();

    private Observation? OfSignal(RuleContext context, ThreadAssessment thread)
    {
        if (!SignalHandlers.IsRunBy(thread.Thread) || StuckRunner.Of(context, thread.Thread.OsId) is not { } stuck)
        {
            return null;
        }

        Claim label = Parties.Label(context, stuck.Runner);
        Claim does = stuck.Tell(context);
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.RuntimeStuck,
            Links = Links.Of(stuck.End.Trust),
            Watched = [stuck.Runner],
            Title = $"The process was sent a signal, and its handler does not return: {label} {does}",
            Culprit = Parties.OfThread(context, stuck.Runner) with { Role = $"runs a handler of a signal and {does}" },
            Evidence = [new Evidence($"{label} runs a handler of a signal and {does}", "stack", stuck.End.Trust) { Thread = stuck.Runner }],
            Gaps = [new Gap("who ends that wait", "nobody owns a signal; no other thread and no async method of the program is seen to make progress")],
            Advice = [Briefly],
            Signature = Signature.Of(Info, stuck.End.Thread.Stack.Frames),
        };
    }
}
