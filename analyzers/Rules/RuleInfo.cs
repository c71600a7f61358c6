namespace HangTriage.Rules;

/// <summary>What a rule is called.</summary>
/// <param name="Id">"HT" and four digits; never reused.</param>
/// <param name="Name">The pattern that it finds, in words: "managed lock cycle".</param>
/// <param name="Summary">One sentence for lists.</param>
public sealed record RuleInfo(string Id, string Name, string Summary)
{
    /// <summary>False where the pattern is no hang: what such a rule cannot see leaves no hang open.</summary>
    public bool FindsHangs { get; init; } = true;
}
