using HangTriage.Facts;

namespace HangTriage.Rules;

/// <summary>What one rule found in a process.</summary>
public sealed record Finding
{
    private readonly string _title = string.Empty;

    public required RuleInfo Rule { get; init; }

    public required Severity Severity { get; init; }

    /// <summary>The verdict that this finding leads to if it decides.</summary>
    public required VerdictKind Kind { get; init; }

    public required Confidence Confidence { get; init; }

    /// <summary>Why it is that sure and no surer.</summary>
    public required string ConfidenceReason { get; init; }

    /// <summary>One sentence: who waits for whom, and what the last one does.</summary>
    public required string Title
    {
        get => _title;
        init => _title = Sentence.Of(value);
    }

    public Party? Culprit { get; init; }

    /// <summary>From a victim to the culprit; for a cycle once around it.</summary>
    public IReadOnlyList<ChainLink> Chain { get; init; } = [];

    /// <summary>Who waits; for a cycle those outside it that wait for it.</summary>
    public IReadOnlyList<Party> Victims { get; init; } = [];

    public IReadOnlyList<Evidence> Evidence { get; init; } = [];

    /// <summary>What speaks against the finding.</summary>
    public IReadOnlyList<Evidence> Contradictions { get; init; } = [];

    /// <summary>What would have made it surer.</summary>
    public IReadOnlyList<Gap> Gaps { get; init; } = [];

    /// <summary>What to do, the most useful first.</summary>
    public IReadOnlyList<string> Advice { get; init; } = [];

    /// <summary>The same for the same hang on another machine: rule and normalized culprit frames, no addresses.</summary>
    public required string Signature { get; init; }
}
