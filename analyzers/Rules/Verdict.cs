using HangTriage.Facts;

namespace HangTriage.Rules;

/// <summary>The one answer to "why does it hang?".</summary>
public sealed record Verdict
{
    public required VerdictKind Kind { get; init; }

    public required Confidence Confidence { get; init; }

    public required string ConfidenceReason { get; init; }

    public required string Title { get; init; }

    /// <summary>The rule whose finding decides; null where none does.</summary>
    public RuleInfo? Rule { get; init; }

    public required string Signature { get; init; }

    public Party? Culprit { get; init; }

    public IReadOnlyList<ChainLink> Chain { get; init; } = [];

    public IReadOnlyList<Party> Victims { get; init; } = [];

    public IReadOnlyList<Evidence> Evidence { get; init; } = [];

    public IReadOnlyList<Evidence> Contradictions { get; init; } = [];

    /// <summary>What could not be seen and matters for this verdict.</summary>
    public IReadOnlyList<Gap> Gaps { get; init; } = [];

    public IReadOnlyList<string> Advice { get; init; } = [];
}
