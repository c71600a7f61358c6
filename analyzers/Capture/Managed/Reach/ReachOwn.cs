using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Says of the waits whose end is open whether who waits is inside the only method that could end it.</summary>
internal sealed class ReachOwn(ReachSearch search, ReachSignals signals, Lazy<OwnGivers?> own, IReadOnlyList<TaskWaitFacts> waits)
{
    // In a process of thousands of waits the first show it as well.
    private const int MostLooks = 512;
    private const int MostOfGroup = 16;

    private int _looks;

    public WaitReach OfThread(WaitReach reach, ulong target, ThreadId waiter)
        => GiversOf(reach, target, known => new HashSet<ulong> { known.AddressOf(waiter) }) is { } givers
            ? reach with { OwnGiver = own.Value!.OfThread(waiter, givers) } : reach;

    /// <summary>Of the threads that wait for it one is enough.</summary>
    public WaitReach OfTask(WaitReach reach, Address task)
        => waits.Where(wait => wait.Tasks.Contains(task)).Select(wait => OfThread(reach, task.Value, wait.Thread))
            .FirstOrDefault(found => found.OwnGiver is not null) ?? reach;

    /// <summary>Of those that wait for it one is enough.</summary>
    public WaitReach OfFlow(WaitReach reach, FlowGrouping group)
        => group.AwaitedObjects.Count != 1 ? reach
            : group.Boxes.Take(MostOfGroup).Prepend(group.Sample.Address).Distinct().Select(box => OfFlow(reach, group, box))
                .FirstOrDefault(found => found.OwnGiver is not null) ?? reach;

    private WaitReach OfFlow(WaitReach reach, FlowGrouping group, ulong box)
    {
        if (own.Value?.ChainOf(box) is not [.., { } outermost] chain)
        {
            return reach;
        }

        return GiversOf(reach, group.AwaitedObjects.Single(), _ => chain.Select(flow => flow.Address).ToHashSet()) is { } givers
            ? reach with { OwnGiver = own.Value.OfFlow(chain, givers, WaiterOf(outermost.Address)) }
            : reach;
    }

    private ThreadId? WaiterOf(ulong task) => waits.FirstOrDefault(wait => wait.Tasks.Contains(new Address(task)))?.Thread;

    private GivingCode? GiversOf(WaitReach reach, ulong target, Func<OwnGivers, IReadOnlySet<ulong>> waiters)
        => reach.Signaller is null && _looks++ < MostLooks && own.Value is { } known && search.Graph.Find(target) is { } node
            ? signals.AllOf(node, waiters(known))
            : null;
}
