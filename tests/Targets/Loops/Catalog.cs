namespace Loops;

/// <summary>The kinds of loops by name; each is told whether it is the endless one.</summary>
internal static class Catalog
{
    public static IReadOnlyDictionary<string, Action<bool>> Kinds { get; } =
        new SortedDictionary<string, Action<bool>>(StringComparer.Ordinal)
    {
        ["linked-rows"] = Walks.OfRows,
        ["parents"] = Walks.OfParents,
        ["routes"] = Walks.OfRoutes,
        ["shared-table"] = Walks.OfTable,
        ["bisection"] = Numbers.Bisect,
        ["converging"] = Numbers.Converge,
        ["counting-down"] = Numbers.CountDown,
        ["remainder"] = Numbers.Split,
        ["parser"] = Texts.Parse,
        ["double-spaces"] = Texts.Shorten,
        ["pattern"] = Texts.Match,
        ["stale-update"] = Retries.Update,
        ["failing-call"] = Retries.Call,
        ["plain-flag"] = Retries.Watch,
        ["sequence"] = Sequences.Search,
    };
}
