namespace HangTriage.Reports.Json;

/// <summary>What a verdict and a finding have in common.</summary>
internal abstract record JudgementPart
{
    public required string Kind { get; init; }

    public required string Confidence { get; init; }

    public required string ConfidenceReason { get; init; }

    public required string Title { get; init; }

    public required string Signature { get; init; }

    public PartyPart? Culprit { get; init; }

    public required IReadOnlyList<LinkPart> Chain { get; init; }

    public required IReadOnlyList<PartyPart> Victims { get; init; }

    public required IReadOnlyList<EvidencePart> Evidence { get; init; }

    public required IReadOnlyList<EvidencePart> Contradictions { get; init; }

    public required IReadOnlyList<GapPart> Gaps { get; init; }

    public required IReadOnlyList<string> Advice { get; init; }
}
