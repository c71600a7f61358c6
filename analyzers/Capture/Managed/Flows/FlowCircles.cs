namespace HangTriage.Capture.Managed.Flows;

/// <summary>Async methods that await each other in a circle, as those of a cache do that asks itself for what it is just making.</summary>
internal static class FlowCircles
{
    private const int Most = 32;

    /// <summary>One member of each circle that something keeps alive: the address of its box.</summary>
    /// <param name="flows">The async methods; null where they are not known.</param>
    public static IReadOnlyList<ulong> Of(FlowInventory? flows)
    {
        if (flows is null)
        {
            return [];
        }

        List<ulong> found = [];
        Dictionary<ulong, int> seen = [];
        int round = 0;
        foreach (ulong start in flows.Groups.SelectMany(group => group.Boxes))
        {
            round++;
            ulong at = start;
            while (found.Count < Most && flows.Boxes.Find(at) is { State: >= 0 } flow && seen.TryAdd(at, round))
            {
                at = flow.Awaited;
            }

            if (found.Count < Most && seen.TryGetValue(at, out int when) && when == round)
            {
                found.Add(at);
            }
        }

        return found;
    }
}
