using HangTriage.Capture.Managed.Flows;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Counts the connections of a pool that those have who wait for another one, and nobody else.</summary>
internal sealed class LentToWaiters(ReachSearch search, FlowInventory flows, LentConnections lent)
{
    private const int MostNodes = 1024;
    private const int MostFlows = 64;

    private readonly Dictionary<IReadOnlyList<ulong>, int> _known = new(ReferenceEqualityComparer.Instance);

    /// <param name="users">What the users have of a pool's connections, as <see cref="LentConnections.Of"/> has it.</param>
    public int Of(IReadOnlyList<ulong> users)
    {
        if (!_known.TryGetValue(users, out int count))
        {
            HashSet<ulong> waiters =
            [
                .. lent.WaitersFor(users).SelectMany(waiting => waiting.Boxes.Prepend(waiting.Sample.Address))
                    .SelectMany(box => flows.Chains.Above(box).Take(MostFlows).Select(flow => flow.Address).Prepend(box)),
            ];
            _known[users] = count = users.Count(user => AreAllThatHave(user, waiters));
        }

        return count;
    }

    private bool AreAllThatHave(ulong user, HashSet<ulong> waiters)
    {
        int[] behind =
            [.. search.Graph.Behind(search.Graph.NodesAt(user), int.MaxValue, node => !IsFlow(node)).Take(MostNodes)];
        return behind.Length < MostNodes
            && behind.Any(IsWaiter)
            && behind.All(node => IsWaiter(node) || !(IsFlow(node) || MayBeUsed(node)));

        bool IsWaiter(int node) => waiters.Contains(search.Graph.AddressOf(node));
    }

    private bool IsFlow(int node) => flows.Boxes.Find(search.Graph.AddressOf(node)) is { State: >= 0 };

    // By a thread, a static field, or what begins by itself; or what leads to it was not looked for.
    private bool MayBeUsed(int node)
        => search.ThreadAt(search.Graph.AddressOf(node)) is not null
            || search.Graph.IsStatic(node)
            || (search.Graph.LeadingTo(node).Count == 0 && search.Graph.IsRooted(node))
            || !search.IsSearched(search.Graph.AddressOf(node));
}
