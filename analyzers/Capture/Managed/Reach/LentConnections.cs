using HangTriage.Capture.Managed.Flows;
using HangTriage.Capture.Managed.Tasks;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// The connections that pools have lent, all of them: who can give one back is who has what the pool gave to its user. That the pool's own
/// part of the connection knows its user, and what he does, gives nothing back. With them the permits of limiters, of which those that have
/// been dropped may be gone from the heap.
/// </summary>
internal sealed class LentConnections
{
    private const string Base = "System.Data.Common.Db";
    private const int MostBases = 8;

    private readonly Dictionary<FlowGrouping, ulong[]> _users = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<ulong> _connections = [];

    public LentConnections(ClrHeap heap, FlowInventory flows, IEnumerable<FlowGrouping> groups)
    {
        ConnectionPools pools = new(flows.Boxes, heap);
        foreach (FlowGrouping group in groups)
        {
            IReadOnlyList<(ClrObject Connection, ClrObject User)> lent = pools.LentTo(group.Sample);
            if (lent.Count > 0)
            {
                Add(group, [.. lent.Select(pair => pair.User.Address)]);
                _connections.UnionWith(lent.Select(pair => pair.Connection.Address));
            }
            else if (flows.Permits.GivenTo(group.AwaitedObjects) is { } permits)
            {
                Add(group, permits);
            }
        }
    }

    /// <summary>What the users have of the connections.</summary>
    public IEnumerable<ulong> Users => _users.Values.SelectMany(users => users).Distinct();

    /// <summary>
    /// Those of the pool that the group waits for, the same list for all groups of one pool; null where not all of its connections are
    /// known.
    /// </summary>
    public IReadOnlyList<ulong>? Of(FlowGrouping group) => _users.GetValueOrDefault(group);

    /// <summary>The groups that wait for the pool which has lent these.</summary>
    public IEnumerable<FlowGrouping> WaitersFor(IReadOnlyList<ulong> users)
        => _users.Where(pair => ReferenceEquals(pair.Value, users)).Select(pair => pair.Key);

    /// <summary>The first is the pool's part of a connection, the second what its user has of it.</summary>
    public bool IsOfPool(ClrObject referrer, ClrObject target)
        => _connections.Contains(referrer.Address)
            && target.Type.WithBases(MostBases).Any(type => type.Name?.StartsWith(Base, StringComparison.Ordinal) == true);

    private void Add(FlowGrouping group, ulong[] users)
        => _users.Add(group, _users.Values.FirstOrDefault(known => known.AsSpan().SequenceEqual(users)) ?? users);
}
