namespace HangTriage.Capture.Managed.Flows;

/// <summary>The async methods of a process, as the walk over the heap found them, for those who follow them on.</summary>
/// <param name="Boxes">All that have begun and not ended.</param>
/// <param name="Resolver">Says what they wait for.</param>
/// <param name="Groups">Those that are suspended, coalesced: in the order of the facts, at most as many.</param>
/// <param name="Chains">Who awaits whom.</param>
/// <param name="Permits">The limiters, and the permits that they have given.</param>
/// <param name="IsWhole">All of the heap was walked, and every async method kept.</param>
internal sealed record FlowInventory(
    FlowBoxes Boxes, AwaitedResolver Resolver, IReadOnlyList<FlowGrouping> Groups, FlowChains Chains, PermitVisitor Permits, bool IsWhole)
{
    private readonly Lazy<Dictionary<ulong, ulong>> _samples = new(() => Groups
        .SelectMany(group => group.Boxes.Select(box => (Box: box, group.Sample.Address)))
        .DistinctBy(pair => pair.Box).ToDictionary());

    /// <summary>The sample of the group that the box is in; null for one that is in none.</summary>
    public ulong? SampleOf(ulong box) => _samples.Value.TryGetValue(box, out ulong sample) ? sample : null;

    /// <summary>The same of the innermost async method that the one in the box awaits, or of itself: where it waits.</summary>
    public ulong? SampleOfInnermost(ulong box) => Boxes.FindInnermost(box) is { } innermost ? SampleOf(innermost.Address) : null;
}
