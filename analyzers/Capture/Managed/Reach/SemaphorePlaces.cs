using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// A task can be a place in the queue of a SemaphoreSlim, which does not lead to the semaphore: the async method that awaits it does.
/// </summary>
internal sealed class SemaphorePlaces
{
    // What a token or a clock may call off is a promise around it.
    private const string Place = "System.Threading.SemaphoreSlim+TaskNode";

    private readonly Dictionary<Address, Address> _waiters = [];
    private readonly Dictionary<ulong, FlowGrouping> _groups = [];

    /// <param name="tasks">The tasks, and what each needs.</param>
    /// <param name="groups">The suspended async methods.</param>
    public SemaphorePlaces(IReadOnlyList<TaskFacts> tasks, IReadOnlyList<FlowGrouping> groups)
    {
        HashSet<Address> places = [.. tasks.Where(task => task.Type.Is(type => type == Place)).Select(task => task.Address)];
        if (places.Count == 0)
        {
            return;
        }

        foreach (TaskFacts task in tasks)
        {
            foreach (Address need in task.Needs.Select(need => need.Task).OfType<Address>().Where(places.Contains))
            {
                _waiters.TryAdd(need, task.Address);
            }
        }

        foreach (FlowGrouping group in groups.Where(group => group.Awaited.Kind == FlowWaitKind.Semaphore))
        {
            foreach (ulong box in group.Boxes)
            {
                _groups.TryAdd(box, group);
            }
        }
    }

    /// <summary>What stands for the task: the semaphore; the task itself where it is no such place, and where that is not known.</summary>
    public IEnumerable<ulong> Behind(Address task)
        => _waiters.TryGetValue(task, out Address waiter) && _groups.TryGetValue(waiter.Value, out FlowGrouping? group)
            ? group.AwaitedObjects : [task.Value];
}
