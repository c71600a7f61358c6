using HangTriage.Facts;

namespace HangTriage.Rules.Collections;

/// <summary>Finds what the facts say of collections, or how a rule ends that needs it.</summary>
internal static class CollectionSection
{
    /// <summary>Null, with the outcome, where there is nothing to look at.</summary>
    public static CollectionsFacts? Of(ProcessSnapshot snapshot, out RuleOutcome outcome)
    {
        if (ManagedSection.Of(snapshot, out outcome) is not { } managed)
        {
            return null;
        }

        outcome = managed.Collections switch
        {
            null => RuleOutcome.NotApplicable("the facts were captured without a look at collections"),
            { Gap: { } gap } => RuleOutcome.Blind(gap),
            { Value.Gaps: var gaps } => RuleOutcome.Clean(gaps),
        };
        return managed.Collections is { HasValue: true } known ? known.Value : null;
    }
}
