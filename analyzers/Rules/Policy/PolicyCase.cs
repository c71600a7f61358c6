using HangTriage.Rules.Context;

namespace HangTriage.Rules.Policy;

/// <summary>What the policy decides on: all that is known of one observation, without its words.</summary>
/// <param name="Pattern">One pattern.</param>
/// <param name="Links">How its weakest link is known.</param>
/// <param name="Limit">Whether its waits end by themselves.</param>
/// <param name="Signs">What else was seen.</param>
/// <param name="Samples">What earlier samples say of its threads.</param>
public sealed record PolicyCase(Pattern Pattern, LinkTrust Links, TimeLimit Limit, Sign Signs, Samples Samples);
