using HangTriage.Capture.Managed.Flows;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Counts the connections of a pool that those have who wait for another one, and nobody else.</summary>
internal sealed class LentToWaiters(ReachSearch search, FlowInventory flows, LentConnections lent)
{
    private const int MostSteps = 1024;
    private const int MostFlows = 64;

    private readonly Dictionary<FlowGrouping, int> _known = new(ReferenceEqualityComparer.Instance);

    /// <returns>Null where not all connections of the pool that the group waits for are known.</returns>
    public int? Of(FlowGrouping group)
    {
        if (lent.Of(group) is not { } users)
        {
            return null;
        }

        if (!_known.TryGetValue(group, out int count))
        {
            HashSet<ulong> waiters =
            [
                .. lent.WaitingWith(group).SelectMany(waiting => waiting.Boxes.Prepend(waiting.Sample.Address))
                    .SelectMany(box => flows.Chains.Above(box).Take(MostFlows).Select(flow => flow.Address).Prepend(box)),
            ];
            count = users.Count(user => AreAllThatHave(user, waiters));
            _known.Add(group, count);
        }

        return count;
    }

    private bool AreAllThatHave(ulong user, HashSet<ulong> waiters)
    {
        bool isHeld = false;
        int steps = 0;
        foreach (int node in search.Graph.Behind(search.Graph.NodesAt(user), MostSteps, node => !IsFlow(node)))
        {
            if (waiters.Contains(search.Graph.AddressOf(node)))
            {
                isHeld = true;
            }
            else if (++steps == MostSteps || IsFlow(node) || MayBeUsed(node))
            {
                return false;
            }
        }

        return isHeld;
    }

    private bool IsFlow(int node) => flows.Boxes.Find(search.Graph.AddressOf(node)) is { State: >= 0 };

    // By a thread, a static field, or what begins by itself; or what leads to it was not looked for.
    private bool MayBeUsed(int node)
        => search.ThreadAt(search.Graph.AddressOf(node)) is not null
            || search.Graph.IsStatic(node)
            || (search.Graph.LeadingTo(node).Count == 0 && search.Graph.IsRooted(node))
            || !search.IsSearched(search.Graph.AddressOf(node));
}
