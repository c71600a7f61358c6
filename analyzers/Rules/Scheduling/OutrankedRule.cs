using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Scheduling;

/// <summary>A thread could run and was not switched to for long, as the trace shows; a dump alone shows a thread in a wait that is over.</summary>
public sealed class OutrankedRule : IRule
{
    public RuleInfo Info { get; } = new("HT7001", "outranked", "A thread is ready for long and is not switched to, while others run.")
    {
        Patterns = Pattern.ReadyNotRun,
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

        CaseTrace trace = context.Trace!;
        uint pid = context.Snapshot.Target.Pid.Value;
        Observation[] found =
        [
            .. trace.Facts.Threads
                .Where(thread => thread.Pid.Is(id => id == pid) && thread.LongestReady?.Length >= Thresholds.ReadyForLong)
                .Where(thread => context.Find(thread.OsId) is not null)
                .OrderByDescending(thread => thread.LongestReady!.Length)
                .Take(1)
                .Select(thread => Describe(context, trace, thread, thread.LongestReady!)),
        ];

        // A capture without a trace can be called healthy; one with a damaged trace is no worse off, but what was lost is said.
        return found.Length > 0 ? RuleOutcome.Of(found) : RuleOutcome.Clean([.. trace.Facts.Gaps.Where(lost => lost.IsLoss)]);
    }

    private Observation Describe(RuleContext context, CaseTrace trace, TraceThread thread, TraceReady ready)
    {
        Claim label = Parties.Label(context, thread.OsId);
        bool isStill = IsStill(trace, ready);
        bool isWorse = ready.Rank.TryGet(out int rank) && ready.Others.TryGet(out TraceRunners? others) && others.HighestRank.Is(best => best < rank);
        string been = isStill ? "is ready and has not been scheduled" : "was ready and not scheduled";
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.ReadyNotRun,
            Links = LinkTrust.Read,
            Signs = (isStill ? Sign.StillSo : Sign.None) | (isWorse ? Sign.WorseRank : Sign.None),
            Title = $"{label} {been} for {Durations.Of(ready.Length)}{ReadyText.Priority(ready)}: {ReadyText.Ranks(ready)}",
            Culprit = Parties.OfThread(context, thread.OsId) with { Role = $"{been} for {Durations.Of(ready.Length)}" },
            Evidence = [.. ReadyText.Evidence(label, thread, ready), .. ReadyText.RuledOut(trace.Facts, thread, ready)],
            Gaps = [.. ReadyText.Gaps(ready)],
            Advice =
            [
                "Look at what ran meanwhile ('triage trace' lists it), and at the job or scheduling group of this process: its weight and its CPU limits.",
                "Record more: a trace with stacks of context switches shows what the others did.",
            ],
            Signature = Signature.Of(Info, context.Find(thread.OsId)?.Thread.Stack.Frames ?? []),
        };
    }

    /// <summary>The capture's moment, or the trace's end where that is unknown or behind it, lies in the time for which the thread was ready.</summary>
    private static bool IsStill(CaseTrace trace, TraceReady ready)
        => trace.Join.Moment.TryGet(out TimeSpan moment) && moment <= trace.Facts.Length
            ? moment >= ready.From && moment <= ready.From + ready.Length
            : ready.IsOpen;
}
