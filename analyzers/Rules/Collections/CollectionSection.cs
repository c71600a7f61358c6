using HangTriage.Facts;

namespace HangTriage.Rules.Collections;

/// <summary>Finds what the facts say of collections, or how a rule ends that needs it.</summary>
internal static class CollectionSection
{
    /// <summary>Null, with the outcome, where there is nothing to look at.</summary>
    public static CollectionsFacts? Of(ProcessSnapshot snapshot, out RuleOutcome outcome)
    {
        outcome = snapshot.Managed switch
        {
            null => RuleOutcome.NotApplicable("the process runs no .NET"),
            { Gap: { } gap } => RuleOutcome.Blind(gap),
            { Value.Collections: null } => RuleOutcome.NotApplicable("the facts were captured without a look at collections"),
            { Value.Collections.Gap: { } gap } => RuleOutcome.Blind(gap),
            { Value.Collections.Value.Gaps: var gaps } => RuleOutcome.Clean(gaps),
        };
        return snapshot.Managed?.Gap is null ? snapshot.Managed?.Value.Collections is { HasValue: true } known ? known.Value : null : null;
    }
}
