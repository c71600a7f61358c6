using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Observing;

/// <summary>What a rule is called, what it needs and what it can see.</summary>
/// <param name="Id">"HT" and four digits; never reused.</param>
/// <param name="Name">The pattern that it finds, in words: "managed lock cycle".</param>
/// <param name="Summary">One sentence for lists.</param>
public sealed record RuleInfo(string Id, string Name, string Summary)
{
    public Need Needs { get; init; }

    /// <summary>It sees something in a trace without a capture.</summary>
    public bool JudgesTraceAlone { get; init; }

    /// <summary>The patterns that it can report.</summary>
    public Pattern Patterns { get; init; }
}
