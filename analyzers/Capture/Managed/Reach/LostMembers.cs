using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// Of a group whose methods wait for a promise each, those for whose promise nobody is left who could keep it: the others of the group,
/// which are answered in time, would hide them.
/// </summary>
/// <param name="graph">What leads to what.</param>
/// <param name="flows">The async methods.</param>
/// <param name="reachOf">Who can end a wait for one of these objects.</param>
internal sealed class LostMembers(ReachGraph graph, FlowInventory flows, Func<IEnumerable<ulong>, WaitReach> reachOf)
{
    /// <summary>The group as it is, or as two: those that are lost, and the others. The first of them has the group's sample.</summary>
    public IReadOnlyList<FlowGroup> Split(FlowGroup group)
    {
        if (group is not { State: FlowState.Suspended, Members: { Count: > 1 } members }
            || group.Waits is not { Kind: FlowWaitKind.Task, Objects: > 1, Reach.By: not null })
        {
            return [group];
        }

        ILookup<bool, FlowMember> parts = members.ToLookup(IsLost);
        if (!parts[true].Any() || !parts[false].Any())
        {
            return [group];
        }

        FlowGroup lost = Of(group, [.. parts[true]]), others = Of(group, [.. parts[false]]);
        return lost.Sample == group.Sample ? [lost, others] : [others, lost];
    }

    private bool IsLost(FlowMember member)
        => ObjectOf(member) is var awaited && graph.Find(awaited) is { } node && graph.RootOf(node) is null
            && reachOf([awaited]) is { By: null, IsInStatic: false };

    private ulong ObjectOf(FlowMember member) => member.Awaits is { } awaits ? flows.Resolver.Of(awaits.Value).Address : 0;

    private FlowGroup Of(FlowGroup group, IReadOnlyList<FlowMember> members)
    {
        ulong[] objects = [.. members.Select(ObjectOf).Distinct()];
        return group with
        {
            Count = members.Count,
            Sample = members.Any(member => member.Flow == group.Sample) ? group.Sample : members[0].Flow,
            Members = members,
            Waits = group.Waits with
            {
                Address = objects.Contains(group.Waits.Address?.Value ?? 0) ? group.Waits.Address : new Address(objects[0]),
                Objects = objects.Length,
                Reach = reachOf(objects),
                KeptIn = null,
            },
        };
    }
}
