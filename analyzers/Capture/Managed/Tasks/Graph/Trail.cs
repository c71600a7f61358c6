using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>Tasks that are completed together, one in most cases, and the objects that lead to them, as far as they have been followed.</summary>
/// <param name="tasks">The tasks.</param>
/// <param name="behind">Those that cannot complete before, and they themselves.</param>
/// <param name="waiters">The runtime's threads that wait for any of these.</param>
internal sealed class Trail(IReadOnlyList<TaskNode> tasks, HashSet<ulong> behind, HashSet<ulong> waiters)
{
    private bool _isFound;
    private bool _isEnded;

    /// <summary>The task; null where there are several.</summary>
    public TaskNode? Single => tasks.Count == 1 ? tasks[0] : null;

    /// <summary>Of a Task.WhenAll that does not know its parts nothing but these completes it, whoever has it.</summary>
    public bool EndsByPartsAlone { get; } = tasks is [{ Remaining: not null }];

    public HashSet<ulong> Behind { get; } = behind;

    public HashSet<ulong> Waiters { get; } = waiters;

    public HashSet<ulong> Front { get; } = [.. tasks.Select(task => task.Object.Address)];

    public HashSet<ulong> Seen { get; } = [.. tasks.Select(task => task.Object.Address)];

    /// <summary>All is known. Of a Task.WhenAll, which does not know its parts, each is looked for.</summary>
    public bool IsDone => _isEnded || (_isFound && Single is not { LacksParts: true });

    /// <summary>An async method leads to them: what it does when its own wait has ended is its own affair.</summary>
    public bool HasPassedFlow { get; set; }

    public void Found() => _isFound = true;

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

        _isEnded = true;
    }
}
