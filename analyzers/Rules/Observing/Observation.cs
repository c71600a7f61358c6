using HangTriage.Facts;
using HangTriage.Rules.Claims;
using HangTriage.Rules.Context;
using HangTriage.Rules.Policy;

namespace HangTriage.Rules.Observing;

/// <summary>What one rule saw: a pattern, its parties, and how each link is known. What follows from it is the policy's to say.</summary>
public sealed record Observation : Account
{
    public required RuleInfo Rule { get; init; }

    /// <summary>One pattern.</summary>
    public required Pattern Pattern { get; init; }

    /// <summary>How the weakest link is known.</summary>
    public LinkTrust Links { get; init; }

    public TimeLimit Limit { get; init; }

    public Sign Signs { get; init; }

    /// <summary>The threads whose stillness makes it surer; those that wait in <see cref="Account.Chain"/> where a rule names none.</summary>
    public IReadOnlyList<ThreadId> Watched { get; init; } = [];
}
