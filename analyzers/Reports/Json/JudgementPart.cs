namespace HangTriage.Reports.Json;

/// <summary>What a verdict and a finding have in common.</summary>
internal abstract record JudgementPart
{
    public string Kind { get; init; } = string.Empty;

    /// <summary>Null where the kind is Inconclusive.</summary>
    public string? Confidence { get; init; }

    public string ConfidenceReason { get; init; } = string.Empty;

    public string Title { get; init; } = string.Empty;

    public AgePart? Since { get; init; }

    public string Signature { get; init; } = string.Empty;

    public string SignatureHash { get; init; } = string.Empty;

    public IReadOnlyList<string> SignatureFrames { get; init; } = [];

    public PartyPart? Culprit { get; init; }

    public IReadOnlyList<LinkPart> Chain { get; init; } = [];

    public IReadOnlyList<PartyPart> Victims { get; init; } = [];

    public IReadOnlyList<EvidencePart> Evidence { get; init; } = [];

    public IReadOnlyList<EvidencePart> Contradictions { get; init; } = [];

    public IReadOnlyList<GapPart> Gaps { get; init; } = [];

    public IReadOnlyList<string> Advice { get; init; } = [];
}

internal sealed record PartyPart(string Kind, string Label, string? Thread, LockPart? Lock, string? Task, string? Role);

internal sealed record LockPart(string Kind, string Address);

internal sealed record LinkPart(PartyPart From, string Edge, PartyPart To);

internal sealed record EvidencePart(string Claim, string Source, string Trust, string? Thread, string? Frame, string? Address);

internal sealed record GapPart(string What, string Why)
{
    /// <summary>How often it stands in the facts; null for once, and where it is not counted.</summary>
    public int? Count { get; init; }
}
