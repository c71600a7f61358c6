using HangTriage.Facts;

namespace HangTriage.Rules.Observing;

/// <summary>How a rule ended, and what it saw. It never looks clean where it did not look, and it can find something and be half blind at once.</summary>
public sealed record RuleOutcome
{
    private RuleOutcome(RuleOutcomeKind kind, IReadOnlyList<Observation> observations, IReadOnlyList<Gap> gaps, string? why)
    {
        Kind = kind;
        Observations = observations;
        Gaps = gaps;
        Why = why;
    }

    public RuleOutcomeKind Kind { get; }

    public IReadOnlyList<Observation> Observations { get; }

    /// <summary>What the rule could not see.</summary>
    public IReadOnlyList<Gap> Gaps { get; }

    /// <summary>One line; null for a clean or found outcome that saw everything.</summary>
    public string? Why { get; }

    /// <summary>What it could not see can hide its pattern.</summary>
    public bool IsBlind => Kind is RuleOutcomeKind.Failed or RuleOutcomeKind.Blind || (Kind == RuleOutcomeKind.Found && Gaps.Count > 0);

    /// <summary>Found where there are observations, else blind where there are gaps, else clean.</summary>
    public static RuleOutcome Of(IReadOnlyList<Observation> observations, params IReadOnlyList<Gap> gaps)
        => observations.Count > 0 ? new(RuleOutcomeKind.Found, observations, gaps, gaps.Count > 0 ? string.Join("; ", gaps) : null)
            : gaps.Count > 0 ? Blind(gaps)
            : Clean();

    /// <summary>What could not be seen beside it cannot be a hang.</summary>
    public static RuleOutcome Clean(params IReadOnlyList<Gap> gaps)
        => new(RuleOutcomeKind.Clean, [], gaps, gaps.Count > 0 ? string.Join("; ", gaps) : null);

    public static RuleOutcome NotApplicable(string why) => new(RuleOutcomeKind.NotApplicable, [], [], why);

    public static RuleOutcome Blind(params IReadOnlyList<Gap> gaps) => new(RuleOutcomeKind.Blind, [], gaps, string.Join("; ", gaps));

    public static RuleOutcome Failed(Exception error)
    {
        ArgumentNullException.ThrowIfNull(error);
        return new(RuleOutcomeKind.Failed, [], [], $"{error.GetType().Name}: {error.Message}");
    }

    /// <summary>The same, with what was missing of what the rule needs.</summary>
    public RuleOutcome Missing(IReadOnlyList<Gap> gaps)
        => gaps.Count == 0 || Kind is RuleOutcomeKind.Failed or RuleOutcomeKind.NotApplicable ? this : Of(Observations, [.. gaps.Concat(Gaps).Distinct()]);
}
