using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;

namespace HangTriage.Rules.Scheduling;

/// <summary>What every rule of traces needs.</summary>
internal static class TraceNeeds
{
    /// <summary>How the rule ends where there is no joined trace with context switches; null where there is one.</summary>
    public static RuleOutcome? Missing(RuleContext context)
        => context.Case.Trace is { Join.IsJoined: false } && context.Snapshot.Target.Pid.Gap is { } noId ? RuleOutcome.Blind(noId)
            : context.Trace is not { } trace ? RuleOutcome.NotApplicable("no trace of this process was given")
            : trace.Facts.Switches.Gap is not { } gap ? null
            : context.Case.IsTraceAlone ? RuleOutcome.Blind(gap)
            : RuleOutcome.Clean(gap);

    /// <summary>The same for rules that judge a trace without a capture: beside one, other rules see more.</summary>
    public static RuleOutcome? MissingAlone(RuleContext context)
        => context.Case.IsTraceAlone ? Missing(context) : RuleOutcome.NotApplicable("it judges a trace without a capture");
}
