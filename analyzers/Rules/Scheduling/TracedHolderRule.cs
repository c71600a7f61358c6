using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Scheduling;

/// <summary>
/// Threads that the capture shows in waits for locks were let go by one thread, which ran all the while: the trace names the
/// holder of a lock that records none.
/// </summary>
public sealed class TracedHolderRule : IRule
{
    private const int MostHanded = 64;

    public RuleInfo Info { get; } = new("HT7002", "traced holder", "A trace shows who let threads go that wait for a lock, and that it ran all the while.")
    {
        Patterns = Pattern.HolderInTrace,
        Needs = Need.Threads,
        JudgesTraceAlone = true,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (TraceNeeds.Missing(context) is { } missing)
        {
            return missing;
        }

        HolderRun[] runs =
        [
            .. TracedWaits.Around(context,
                context.Threads.Where(thread
                => context.Case.IsTraceAlone || thread.State is ThreadActivity.WaitsForLock or ThreadActivity.WaitsForLoader),
                Thresholds.WaitBehindHolder)
                .Where(thread => !context.Case.IsTraceAlone || !Turns.AreRegular(thread))
                .GroupBy(thread => context.Case.IsTraceAlone ? FirstHolderOf(context, thread) : HolderOf(context, thread))
                .Where(group => group.Key is not null && group.Count() >= Thresholds.WaitersForLikelyBusyOwner)
                .Select(group => HolderRun.Of(context.Traced.Of(group.Key!.Value), [.. group]))
                .OfType<HolderRun>()
                .OrderByDescending(run => run.Waiters.Count),
        ];
        return runs.Length == 0 ? RuleOutcome.Clean()
            : context.Trace!.Join.Moment.Gap is { } gap ? RuleOutcome.Blind(gap)
            : RuleOutcome.Of([.. runs.Select(run => Describe(context, run))]);
    }

    // A lock is handed from waiter to waiter: each readies the next, within a moment. Timers that whoever runs is said to have ended (Linux)
    // do not come in such a row.
    private static ThreadId? FirstHolderOf(RuleContext context, TraceThread waiter)
    {
        TraceWait last = waiter.LongestWait!;
        ThreadId? holder = HolderOf(context, waiter);
        for (int step = 0; step < MostHanded && holder is { } id && context.Traced.Of(id) is { LongestWait: { IsOpen: false } wait } next
            && (last.From - wait.From).Duration() <= Thresholds.HandedOn && wait.From + wait.Length <= last.From + last.Length
            && last.From + last.Length - (wait.From + wait.Length) <= Thresholds.HandedOn; step++)
        {
            (last, holder) = (wait, HolderOf(context, next));
        }

        return holder;
    }

    // A deferred call is a timer's or a device's, whatever thread it interrupts.
    private static ThreadId? HolderOf(RuleContext context, TraceThread waiter)
        => waiter.LongestWait is { IsOpen: false } wait
            && wait.By.TryGet(out TraceReadiedBy? by)
            && !by.IsDeferred
            && by.Pid.Is(pid => waiter.Pid.Is(own => own == pid))
            && context.Find(by.Thread) is not null ? by.Thread : null;

    private Observation Describe(RuleContext context, HolderRun run)
    {
        ThreadId holder = run.Holder.OsId;
        Claim label = Parties.Label(context, holder);
        Claim where = run.Place is { } place ? $" in {place.Name}" : Claim.Empty;
        string does = run.Yields > 0 ? "yields and runs" : "runs";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.HolderInTrace,
            Links = LinkTrust.Concluded,
            Signs = (run.Place is null ? Sign.None : Sign.OnePlace) | (run.Yields > 0 ? Sign.YieldsInTrace : Sign.None),
            Title = context.Case.IsTraceAlone
                ? (Claim)$"{label} {does}{where} while {Count.Waiting(run.Waiters.Count)}, for up to {Durations.Of(run.Longest.Length)}, until it readies them"
                : (Claim)$"{label} {does}{where} while {Count.Waiting(run.Waiters.Count)} for locks, for up to {Durations.Of(run.Longest.Length)}, until it lets them go",
            Culprit = Parties.OfThread(context, holder) with { Role = $"{does}{where}" },
            Chain = [new ChainLink(Parties.OfThread(context, run.Waiters[0].OsId), "waits until it is readied by", Parties.OfThread(context, holder))],
            Victims = [.. run.Waiters.Select(waiter => Parties.OfThread(context, waiter.OsId))],
            Evidence = [.. HolderText.Evidence(run, label)],
            Advice = context.Case.IsTraceAlone
                ? [$"Look at what {label} does{where}.", AloneText.TakeDump(context)]
                :
                [
                    $"Look at what {label} does{where}, and let it do so without the lock.",
                    "Find the lock in the stacks of the waiters: the trace does not name it.",
                ],
            Signature = Signature.Of(Info, context.Find(holder)?.Thread.Stack.Frames ?? []),
        };
    }
}
