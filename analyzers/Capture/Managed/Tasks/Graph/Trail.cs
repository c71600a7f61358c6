using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>Tasks that are completed together, one in most cases, and the objects that lead to them, as far as they have been followed.</summary>
/// <param name="tasks">The tasks.</param>
/// <param name="behind">Those that cannot complete before, and they themselves.</param>
/// <param name="waiters">The runtime's threads that wait for any of these.</param>
internal sealed class Trail(IReadOnlyList<TaskNode> tasks, HashSet<ulong> behind, HashSet<ulong> waiters)
{
    /// <summary>The task; null where there are several.</summary>
    public TaskNode? Single => tasks.Count == 1 ? tasks[0] : null;

    public HashSet<ulong> Behind { get; } = behind;

    public HashSet<ulong> Waiters { get; } = waiters;

    public HashSet<ulong> Front { get; } = [.. tasks.Select(task => task.Object.Address)];

    public HashSet<ulong> Seen { get; } = [.. tasks.Select(task => task.Object.Address)];

    public bool IsDone { get; private set; }

    public void Found() => IsDone = true;

    public void End(params IReadOnlyList<TaskNeedFacts> needs)
    {
        if (IsDone)
        {
            return;
        }

        foreach (TaskNode task in tasks)
        {
            foreach (TaskNeedFacts need in needs)
            {
                task.Add(need);
            }
        }

        IsDone = true;
    }
}
