using System.Diagnostics.CodeAnalysis;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;
using HangTriage.Rules.Suspects;

namespace HangTriage.Rules;

/// <summary>The one answer to "why does it hang?".</summary>
public sealed record Verdict : Account
{
    public Verdict()
    {
    }

    [SetsRequiredMembers]
    internal Verdict(Finding decisive)
        : base(decisive)
    {
        Kind = decisive.Kind;
        Confidence = decisive.Confidence;
        ConfidenceReason = decisive.ConfidenceReason;
        Rule = decisive.Rule;
    }

    public required VerdictKind Kind { get; init; }

    /// <summary>Null where the kind is Inconclusive.</summary>
    public required Confidence? Confidence { get; init; }

    public required string ConfidenceReason { get; init; }

    /// <summary>The waits whose end is unknown and that are not known to be idling, the heaviest first.</summary>
    public IReadOnlyList<Suspect> Suspects { get; init; } = [];

    /// <summary>The rule whose finding decides; null where none does.</summary>
    public RuleInfo? Rule { get; init; }
}
