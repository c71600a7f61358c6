using System.Globalization;
using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Running;

namespace HangTriage.Rules.Scheduling;

/// <summary>A thread never waits: it runs in short slices, gives its processor away after each, and is ready again at once.</summary>
public sealed class YieldingThreadRule : IRule
{
    private const string YieldReason = "WrYieldExecution";
    private const string LinuxYield = "sched_yield";

    public RuleInfo Info { get; } = new("HT7005", "yielding thread",
        "A trace shows a thread that yields its processor again and again and never waits.")
    {
        Patterns = Pattern.YieldsInCircles,
        Needs = Need.Threads,
        JudgesTraceAlone = true,
    };

    public RuleOutcome Evaluate(RuleContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        if (TraceNeeds.MissingAlone(context) is { } missing)
        {
            return missing;
        }

        TraceThread? most = context.Traced.Of(context.Threads)
            .Where(IsYielding)
            .OrderByDescending(YieldsOf)
            .ThenBy(thread => thread.OsId)
            .FirstOrDefault();
        return RuleOutcome.Of(most is null ? [] : [Describe(context, most)]);
    }

    private static bool IsYielding(TraceThread thread)
        => thread.Times.TryGet(out TraceTimes? times)
            && thread.To - thread.From >= Thresholds.ReadyForLong
            && times.Running + times.Ready >= (thread.To - thread.From) * Thresholds.YieldingShare
            && YieldsOf(thread) >= Thresholds.LeastYields
            && times.Running <= YieldsOf(thread) * Thresholds.SliceOfYield;

    private static long YieldsOf(TraceThread thread)
        => thread.WaitReasons.Where(reason => reason.Name is YieldReason or LinuxYield).Sum(reason => reason.Count);

    private static bool IsAlone(RuleContext context, TraceThread thread)
        => context.Threads
            .Where(other => other.Thread.OsId != thread.OsId)
            .Select(other => context.Traced.Of(other.Thread.OsId))
            .All(other
                => other is null || !other.Times.TryGet(out TraceTimes? times) || times.Running < (other.To - other.From) * Thresholds.LeastWorkShare);

    private Observation Describe(RuleContext context, TraceThread thread)
    {
        Claim label = Parties.Label(context, thread.OsId);
        TraceTimes times = thread.Times.Value;
        TracePlace? place = TracePlace.Of(thread);
        string where = place is { } known ? $" in {known.Name}" : string.Empty;
        string yields = string.Create(CultureInfo.InvariantCulture, $"{YieldsOf(thread):#,0} times");
        string ran = Durations.Of(times.Running);
        return new Observation
        {
            Rule = Info,
            Pattern = Pattern.YieldsInCircles,
            Links = LinkTrust.Read,
            Signs = IsAlone(context, thread) ? Sign.NobodyElseRuns : Sign.None,
            Title = $"{label} gives its processor away {yields}{where} and never waits: it ran for {ran} of {Durations.Of(thread.To - thread.From)}",
            Culprit = Parties.OfThread(context, thread.OsId) with { Role = $"yields {yields}{where} and never waits" },
            Evidence =
            [
                AloneText.Of(thread,
                    $"{label} ran for {ran}, was ready for {Durations.Of(times.Ready)} and waited for {Durations.Of(times.Waiting)}"),
                AloneText.Of(thread,
                    $"it gave its processor away {yields}, after {Durations.Of(times.Running / Math.Max(YieldsOf(thread), 1))} on average"),
            ],
            Advice =
            [
                $"Look at what {label} asks for{where}: the loop yields until something changes, which another thread or process has to do.",
                AloneText.TakeDump(context),
            ],
            Signature = HangSignature.Of(Info.Id, [[place?.Name ?? "?"]]),
        };
    }
}
