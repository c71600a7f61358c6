namespace HangTriage.Rules.Observing;

public enum RuleOutcomeKind
{
    Found,

    /// <summary>The rule saw what it needs, and the pattern is not there.</summary>
    Clean,

    /// <summary>The pattern cannot occur in such a target.</summary>
    NotApplicable,

    /// <summary>What the rule needs was not in the input.</summary>
    Blind,

    /// <summary>The rule itself broke.</summary>
    Failed,
}
