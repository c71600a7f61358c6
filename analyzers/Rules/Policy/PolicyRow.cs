using HangTriage.Rules.Context;

namespace HangTriage.Rules.Policy;

/// <summary>One row of the policy: what was seen, and what follows. A cell that says nothing fits everything.</summary>
/// <param name="Patterns">The row is for any of these.</param>
/// <param name="Kind">What follows.</param>
/// <param name="Confidence">How sure that is; null where the kind is Inconclusive.</param>
/// <param name="Reason">Why it is that sure and no surer.</param>
public sealed record PolicyRow(Pattern Patterns, VerdictKind Kind, Confidence? Confidence, Reason Reason)
{
    /// <summary>The weakest link is known so well, or better.</summary>
    public LinkTrust Links { get; init; } = LinkTrust.Guessed;

    public TimeLimit? Limit { get; init; }

    public Samples? Samples { get; init; }

    /// <summary>All of these were seen.</summary>
    public Sign Signs { get; init; }

    public bool Fits(PolicyCase seen)
    {
        ArgumentNullException.ThrowIfNull(seen);
        return (Patterns & seen.Pattern) != 0
            && seen.Links <= Links
            && (Limit is null || Limit == seen.Limit || (Limit is TimeLimit.None && seen.Limit is TimeLimit.TooLate))
            && (Samples is null || Samples == seen.Samples || (Samples is Policy.Samples.Moved && seen.Samples is Policy.Samples.PassedOn))
            && (seen.Signs & Signs) == Signs;
    }
}
