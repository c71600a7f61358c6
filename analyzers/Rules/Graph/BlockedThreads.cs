using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>The tasks without which a blocked thread does not go on: those that it waits for, all that these need, and so on.</summary>
internal sealed class BlockedThreads(TaskGraphFacts graph)
{
    private readonly Dictionary<Address, TaskFacts> _tasks =
        graph.Tasks.DistinctBy(task => task.Address).ToDictionary(task => task.Address);

    private readonly ILookup<ThreadId, Address> _waits = graph.Waits
        .SelectMany(wait => wait.Tasks.Select(task => (wait.Thread, Task: task))).ToLookup(pair => pair.Thread, pair => pair.Task);

    private readonly Dictionary<ThreadId, HashSet<Address>> _needed = [];

    public bool Need(ThreadId thread, Address task)
    {
        if (!_needed.TryGetValue(thread, out HashSet<Address>? needed))
        {
            needed = Find(thread);
            _needed.Add(thread, needed);
        }

        return needed.Contains(task);
    }

    // Of several of which one is enough none is needed.
    private HashSet<Address> Find(ThreadId thread)
    {
        HashSet<Address> needed = [.. _waits[thread]];
        Queue<Address> open = new(needed);
        while (open.TryDequeue(out Address next))
        {
            IReadOnlyList<TaskNeedFacts> needs =
                _tasks.TryGetValue(next, out TaskFacts? task) && !(task.NeedsAny && task.Needs.Count > 1) ? task.Needs : [];
            foreach (Address other in needs.Select(need => need.Task).OfType<Address>().Where(needed.Add))
            {
                open.Enqueue(other);
            }
        }

        return needed;
    }
}
