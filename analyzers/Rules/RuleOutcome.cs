using HangTriage.Facts;

namespace HangTriage.Rules;

/// <summary>How a rule ended, and what it found. It never looks clean where it did not look.</summary>
public sealed record RuleOutcome
{
    private RuleOutcome(RuleOutcomeKind kind, IReadOnlyList<Finding> findings, IReadOnlyList<Gap> gaps, string? why)
    {
        Kind = kind;
        Findings = findings;
        Gaps = gaps;
        Why = why;
    }

    public RuleOutcomeKind Kind { get; }

    public IReadOnlyList<Finding> Findings { get; }

    /// <summary>What the rule could not see.</summary>
    public IReadOnlyList<Gap> Gaps { get; }

    /// <summary>One line; null for a clean or found outcome that saw everything.</summary>
    public string? Why { get; }

    public static RuleOutcome Found(IReadOnlyList<Finding> findings) => new(RuleOutcomeKind.Found, findings, [], null);

    /// <summary>What could not be seen beside it cannot be a hang.</summary>
    public static RuleOutcome Clean(params IReadOnlyList<Gap> gaps)
        => new(RuleOutcomeKind.Clean, [], gaps, gaps.Count > 0 ? string.Join("; ", gaps) : null);

    public static RuleOutcome NotApplicable(string why) => new(RuleOutcomeKind.NotApplicable, [], [], why);

    public static RuleOutcome Blind(params IReadOnlyList<Gap> gaps) => new(RuleOutcomeKind.Blind, [], gaps, string.Join("; ", gaps));

    public static RuleOutcome Failed(Exception error) => new(RuleOutcomeKind.Failed, [], [], $"{error.GetType().Name}: {error.Message}");
}
