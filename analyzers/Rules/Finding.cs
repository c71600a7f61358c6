using System.Diagnostics.CodeAnalysis;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Observing;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules;

/// <summary>What one rule saw in a process, and what the policy makes of it.</summary>
public sealed record Finding : Account
{
    public Finding()
    {
    }

    [SetsRequiredMembers]
    internal Finding(Observation seen, PolicyCase @case, PolicyRow row, string reason)
        : base(seen)
    {
        Title = ShortTitle.Of(seen.Title).AsSentence();
        Rule = seen.Rule;
        Case = @case;
        Row = row;
        Kind = row.Kind;
        Confidence = row.Confidence;
        ConfidenceReason = reason;
    }

    public required RuleInfo Rule { get; init; }

    /// <summary>The verdict that this finding leads to if it decides.</summary>
    public required VerdictKind Kind { get; init; }

    /// <summary>Null where the kind is Inconclusive.</summary>
    public required Confidence? Confidence { get; init; }

    /// <summary>Why it is that sure and no surer.</summary>
    public required string ConfidenceReason { get; init; }

    /// <summary>What the policy decided on; null in findings that were not judged.</summary>
    public PolicyCase? Case { get; init; }

    /// <summary>The row of the policy that decided; null in findings that were not judged.</summary>
    public PolicyRow? Row { get; init; }

    public Severity Severity => Kind.IsHang() ? Severity.Hang : Severity.Warning;
}
