using HangTriage.Facts;
using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;

namespace HangTriage.Rules.Running;

/// <summary>Runs one rule, and holds what it needs against the facts: no rule looks clean where it could not look.</summary>
internal static class RuleRunner
{
    public static RuleReport Run(IRule rule, RuleContext context)
    {
        if (context.Case.IsTraceAlone && !rule.Info.JudgesTraceAlone)
        {
            return new RuleReport(rule.Info, RuleOutcome.NotApplicable("a trace alone has no stacks, locks or objects"));
        }

        if (NeedCheck.WhyNotApplicable(rule.Info.Needs, context.Snapshot) is { } why)
        {
            return new RuleReport(rule.Info, RuleOutcome.NotApplicable(why));
        }

        IReadOnlyList<Gap> missing = NeedCheck.Missing(rule.Info.Needs, context.Snapshot);
        try
        {
            return new RuleReport(rule.Info, rule.Evaluate(context).Missing(missing));
        }
#pragma warning disable CA1031 // Whatever a rule throws is its outcome; it must not take the others' answers with it.
        catch (Exception e)
#pragma warning restore CA1031
        {
            return new RuleReport(rule.Info, RuleOutcome.Failed(e));
        }
    }
}
