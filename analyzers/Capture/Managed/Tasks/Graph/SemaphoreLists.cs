using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>
/// The asynchronous entries of one semaphore are linked to each other (Next, Prev): whoever can release the semaphore can
/// complete each of them, so that they are searched for together.
/// </summary>
internal static class SemaphoreLists
{
    /// <summary>The tasks, each by itself but for entries of the same semaphore.</summary>
    public static IEnumerable<IReadOnlyList<TaskNode>> Group(IEnumerable<TaskNode> tasks)
    {
        Dictionary<ulong, TaskNode> entries = [];
        foreach (TaskNode task in tasks)
        {
            if (task.Kind == TaskKind.Semaphore)
            {
                entries.TryAdd(task.Object.Address, task);
            }
            else
            {
                yield return [task];
            }
        }

        foreach (TaskNode task in entries.Values.ToArray())
        {
            if (entries.Remove(task.Object.Address))
            {
                yield return [task, .. Linked(task, "Next", entries), .. Linked(task, "Prev", entries)];
            }
        }
    }

    private static List<TaskNode> Linked(TaskNode task, string field, Dictionary<ulong, TaskNode> entries)
    {
        List<TaskNode> linked = [];
        for (ClrObject next = task.Object.Reference(field); !next.IsNull && entries.Remove(next.Address, out TaskNode? found); next = next.Reference(field))
        {
            linked.Add(found);
        }

        return linked;
    }
}
