using HangTriage.Facts;

namespace HangTriage.Rules;

/// <summary>Finds what the facts say of .NET, or how a rule ends that needs it.</summary>
internal static class ManagedSection
{
    /// <summary>Null, with the outcome, where there is nothing to look at.</summary>
    public static ManagedFacts? Of(ProcessSnapshot snapshot, out RuleOutcome outcome)
    {
        outcome = snapshot.Managed switch
        {
            null => RuleOutcome.NotApplicable("the process runs no .NET"),
            { Gap: { } gap } => RuleOutcome.Blind(gap),
            _ => RuleOutcome.Clean(),
        };
        return snapshot.Managed is { HasValue: true } known ? known.Value : null;
    }

    /// <summary>The same, with the locks and the waits both known.</summary>
    public static ManagedFacts? WithLocks(ProcessSnapshot snapshot, out RuleOutcome outcome)
    {
        if (Of(snapshot, out outcome) is not { } managed)
        {
            return null;
        }

        Gap[] gaps = [.. new[] { managed.Locks.Gap, managed.Waits.Gap }.OfType<Gap>()];
        if (gaps.Length == 0)
        {
            return managed;
        }

        outcome = RuleOutcome.Blind(gaps);
        return null;
    }
}
