using HangTriage.Facts;

namespace HangTriage.Rules.Graph;

/// <summary>The edges of threads that wait for tasks, and of tasks that need other tasks or threads.</summary>
internal static class TaskEdges
{
    public static IEnumerable<WaitEdge> Of(ProcessSnapshot snapshot)
    {
        if (snapshot.Managed is not { } section || !section.TryGet(out ManagedFacts? managed) || !managed.Tasks.TryGet(out TaskGraphFacts? graph))
        {
            yield break;
        }

        foreach (TaskWaitFacts wait in graph.Waits)
        {
            foreach (Address task in wait.Tasks)
            {
                yield return new WaitEdge(WaitNode.Of(wait.Thread), WaitNode.OfTask(task), EdgeKind.WaitsFor, wait.Trust, wait.Source)
                {
                    Timeout = wait.Timeout,
                };
            }
        }

        HashSet<ThreadId> blocked =
        [
            .. graph.Waits.Select(wait => wait.Thread),
            .. (managed.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits) ? waits : []).Where(wait => wait.Kind != WaitKind.Exit).Select(wait => wait.Thread),
            .. (managed.Outside is { } outside && outside.TryGet(out IReadOnlyList<OutsideWaitFacts>? calls) ? calls : [])
                .Where(call => call.WaitsForTransaction()).Select(call => call.Thread),
        ];
        BlockedThreads waiting = new(graph);
        foreach (TaskFacts task in graph.Tasks)
        {
            foreach (TaskNeedFacts need in task.Needs)
            {
                if (EdgeOf(task, need) is { } edge)
                {
                    yield return task.NeedsAny ? edge with { Alternatives = task.Needs.Count } : edge;
                }
            }

            foreach (WaitEdge edge in ToHolders(task, waiting, blocked))
            {
                yield return edge;
            }
        }
    }

    // Whoever has the promise waits without end, so none of them is a way out. Who waits for this one is no hand that it is in, and who
    // waits for the end of threads has mostly handed it to them.
    private static IEnumerable<WaitEdge> ToHolders(TaskFacts task, BlockedThreads waiting, HashSet<ThreadId> blocked)
        => task.Reach is { By: null } reach
            ? reach.Holders.Select(holder => holder.Thread).OfType<ThreadId>()
                .Where(thread => blocked.Contains(thread) && !waiting.Need(thread, task.Address))
                .Select(thread => new WaitEdge(
                    WaitNode.OfTask(task.Address), WaitNode.Of(thread), EdgeKind.CompletedBy,
                    reach.IsInStatic ? Trust.Scanned : Trust.Derived, "heap search: only threads that wait lead to it"))
            : [];

    private static WaitEdge? EdgeOf(TaskFacts task, TaskNeedFacts need)
    {
        WaitNode from = WaitNode.OfTask(task.Address);
        return need switch
        {
            { Kind: TaskNeedKind.Task, Task: { } other } => new WaitEdge(from, WaitNode.OfTask(other), EdgeKind.WaitsFor, need.Trust, need.Source),
            { Kind: TaskNeedKind.Thread, Thread: { } thread } => new WaitEdge(from, WaitNode.Of(thread), EdgeKind.RunsOn, need.Trust, need.Source),
            { Kind: TaskNeedKind.Context, Thread: { } thread } => new WaitEdge(from, WaitNode.Of(thread), EdgeKind.NeedsContext, need.Trust, need.Source),
            _ => null,
        };
    }
}
