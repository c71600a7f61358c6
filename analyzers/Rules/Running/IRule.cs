using HangTriage.Rules.Context;
using HangTriage.Rules.Observing;

namespace HangTriage.Rules.Running;

/// <summary>Looks for one pattern in the facts of a process. Pure: it reads nothing but its context.</summary>
public interface IRule
{
    RuleInfo Info { get; }

    RuleOutcome Evaluate(RuleContext context);
}
