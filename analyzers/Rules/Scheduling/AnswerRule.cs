using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Graph;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;
using HangTriage.Rules.Threads;

namespace HangTriage.Rules.Scheduling;

/// <summary>The critical path goes through another process: one of its threads ended a long wait, in which the capture was taken.</summary>
public sealed class AnswerRule : IRule
{
    public RuleInfo Info { get; } = new("HT7003", "answer of another process", "A trace shows that another process ended the long wait of a thread.")
    {
        Patterns = Pattern.AnswerInTrace,
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

        ProcessAnswer[] answers =
        [
            .. TracedWaits.Around(context, context.Threads.Where(thread => IsBlocked(context, thread)), Thresholds.WaitForProcess)
                .Where(thread => ProcessAnswer.ProcessOf(thread) is not null)
                .GroupBy(thread => ProcessAnswer.ProcessOf(thread)!.Value)
                .Select(group => ProcessAnswer.Of(group.Key, group))
                .OrderByDescending(answer => answer.Longest.Length),
        ];
        return answers.Length == 0 ? RuleOutcome.Clean()
            : context.Trace!.Join.Moment.Gap is { } gap ? RuleOutcome.Blind(gap)
            : RuleOutcome.Of([.. answers.Select(answer => Describe(context, answer))]);
    }

    // Who computes, sleeps or idles by design was readied by another process for no reason of its own.
    private static bool IsBlocked(RuleContext context, ThreadAssessment thread)
        => context.Case.IsTraceAlone ? context.Traced.Of(thread.Thread.OsId) is { } traced && !Turns.AreRegular(traced)
            && AnswerAlone.IsKnown(context.Trace!.Facts, traced)
            : thread.State is not (ThreadActivity.Running or ThreadActivity.Yielding or ThreadActivity.Sleeping or ThreadActivity.Suspended)
            && UserCode.In(thread.Thread) is not null
            && IdleWait.Why(context, thread) is null;

    private static bool IsDependedOn(RuleContext context, ThreadId id)
        => ImportantThreads.Contain(context, id)
            || (context.Find(id) is { } thread && WindowThreads.Dispatches(thread.Thread))
            || context.Graph.ThreadsBehind(WaitNode.Of(id)).Count > 0
            || context.Threads.Count(thread => UserCode.In(thread.Thread) is not null) == 1;

    private Observation Describe(RuleContext context, ProcessAnswer answer)
    {
        ThreadId first = answer.Waiters[0].OsId;
        Claim label = Parties.Label(context, first);
        Claim place = context.Find(first) is { } thread && WaitPlace.InProgram(thread.Thread) is { } known ? $" in {known}" : Claim.Empty;
        string more = answer.Waiters.Count > 1 ? $" and {Count.Of(answer.Waiters.Count - 1, "thread")} wait" : " waits";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.AnswerInTrace,
            Links = LinkTrust.Read,
            Signs = context.Case.IsTraceAlone ? AnswerAlone.SignsOf(context, answer)
                : answer.Waiters.Any(waiter => IsDependedOn(context, waiter.OsId)) ? Sign.Depended : Sign.None,
            Title = $"{label}{more}{place} until {answer.Name} readies it, after {Durations.Of(answer.Longest.Length)}",
            Culprit = Parties.OfThread(context, first) with { Role = $"waits{place} for {answer.Name}" },
            Victims = [.. answer.Waiters.Skip(1).Select(waiter => Parties.OfThread(context, waiter.OsId))],
            Evidence = [.. AnswerText.Evidence(context.Trace!.Facts, answer, label)],
            Gaps = [.. AnswerText.Gaps(answer)],
            Advice =
            [
                $"Look at what {answer.Name} did in that time: 'triage trace FILE --pid {answer.Pid}' lists its threads, their waits and their samples.",
                "Leave the program's files out of it, if it is a virus scanner or another filter, and measure again.",
            ],
            Signature = Signature.Of(Info, context.Find(first)?.Thread.Stack.Frames ?? []),
        };
    }
}
