using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Stalls;

/// <summary>
/// The finalizer thread is blocked: whoever waits for finalizers waits for good, and what is to be finalized stays in memory.
/// </summary>
public sealed class BlockedFinalizerRule : IRule
{
    private const string Briefly = "Let finalizers neither wait nor take locks; a SafeHandle, or a queue that another thread works off, needs no wait.";

    public RuleInfo Info { get; } = new(
        "HT6001", "blocked finalizer", "The finalizer thread waits for something that does not come.")
    {
        Patterns = Pattern.ManagedLockCycle | Pattern.RuntimeStuck | Pattern.FinalizerBlocked,
        Needs = Need.Threads | Need.Managed | Need.ManagedLocks,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        RuntimeWait waits = new(context, Info, LockKind.Finalizers, Briefly, "Hold no lock while waiting in GC.WaitForPendingFinalizers.");
        Observation[] awaited = [.. waits.Circles(CycleClass.Finalizers), .. waits.Stuck()];
        return awaited.Length > 0
            ? RuleOutcome.Of(awaited)
            : RuleOutcome.Of(Alone(context) is { } alone ? [alone] : [], [.. Unseen(context)]);
    }

    // What is missing can hide that the queue has grown for long.
    private static IEnumerable<Gap> Unseen(RuleContext context)
    {
        if (context.Managed?.Finalizer is not { } known)
        {
            yield break;
        }

        if (!known.TryGet(out FinalizerFacts? finalizer))
        {
            yield return known.Gap!;
        }
        else if (context.Find(finalizer.Thread) is { State: ThreadActivity.WaitsForObject } && !finalizer.Queued.Is(queued => queued < Thresholds.FinalizersQueued))
        {
            foreach (Gap gap in context.WaitsOf(finalizer.Thread).Select(wait => wait.Timeout.Gap).Append(finalizer.Queued.Gap).OfType<Gap>())
            {
                yield return gap;
            }
        }
    }

    // The same thread runs them (HT6007).
    private static bool RunsExitHandlers(RuleContext context, ThreadId finalizer)
        => context.Locks.Any(held => held.Id.Kind == LockKind.ExitHandlers && held.Owner.Is(owner => owner == finalizer));

    private Observation? Alone(RuleContext context)
    {
        if (context.Managed?.Finalizer is not { } known || !known.TryGet(out FinalizerFacts? finalizer) || RunsExitHandlers(context, finalizer.Thread) || StuckRunner.Of(context, finalizer.Thread) is not { } stuck
            || UserCode.In(stuck.End.Thread) is null)
        {
            return null;
        }

        Claim label = Parties.Label(context, finalizer.Thread);
        Claim place = WaitPlace.InProgram(stuck.End.Thread) is { } at ? $" in {at}" : Claim.Empty;
        Claim queue = finalizer.Queued.TryGet(out uint queued) ? $"; {Count.Of((int)queued, "object")} to finalize behind it" : Claim.Empty;
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.FinalizerBlocked,
            Links = Links.Of(stuck.End.Trust),
            Signs = queued >= Thresholds.FinalizersQueued ? Sign.Backlog : Sign.None,
            Watched = [finalizer.Thread],
            Title = $"The finalizer thread, {label}, {stuck.Does}{place}{queue}",
            Culprit = Parties.OfThread(context, finalizer.Thread) with { Role = $"runs finalizers and {stuck.Does}{place}" },
            Evidence =
            [
                new Evidence($"{label} {stuck.Does}{place}: no finalizer runs meanwhile, and what they would free stays", "stack", stuck.End.Trust) { Thread = finalizer.Thread },
            ],
            Advice = [Briefly],
            Signature = Signature.Of(Info, stuck.End.Thread.Stack.Frames),
        };
    }
}
