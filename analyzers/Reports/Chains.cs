using HangTriage.Rules.Claims;

namespace HangTriage.Reports;

/// <summary>The steps of a wait chain in the order that they are drawn in.</summary>
internal static class Chains
{
    /// <summary>True where the last step leads back to the first.</summary>
    public static bool IsCycle(IReadOnlyList<ChainLink> chain) => chain.Count > 1 && Same(chain[^1].To, chain[0].From);

    /// <summary>True where this step does not start at the end of the one before.</summary>
    public static bool Breaks(IReadOnlyList<ChainLink> chain, int index) => index == 0 || !Same(chain[index - 1].To, chain[index].From);

    public static bool Same(Party left, Party right) => left.IsSame(right);
}
