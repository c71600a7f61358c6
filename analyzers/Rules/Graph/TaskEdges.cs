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

        WaitEdge[] waiting = [.. graph.Waits.SelectMany(EdgesOf)];
        (TaskFacts Task, WaitEdge[] Needs)[] tasks = [.. graph.Tasks.Select(task => (task, NeedsOf(task)))];
        HashSet<ThreadId> blocked =
        [
            .. graph.Waits.Select(wait => wait.Thread),
            .. (managed.Waits.TryGet(out IReadOnlyList<WaitFacts>? waits) ? waits : []).Where(wait => wait.Kind != WaitKind.Exit).Select(wait => wait.Thread),
            .. (managed.Outside is { } outside && outside.TryGet(out IReadOnlyList<OutsideWaitFacts>? calls) ? calls : [])
                .Where(call => call.WaitsForTransaction()).Select(call => call.Thread),
        ];
        foreach (WaitEdge edge in waiting)
        {
            yield return edge;
        }

        WaitGraph needed = new([.. waiting, .. tasks.SelectMany(pair => pair.Needs)]);
        foreach (WaitEdge edge in tasks.SelectMany(pair => pair.Needs.Concat(ToHolders(pair.Task, needed, blocked))))
        {
            yield return edge;
        }
    }

    private static IEnumerable<WaitEdge> EdgesOf(TaskWaitFacts wait)
        => wait.Tasks.Select(task => new WaitEdge(
            WaitNode.Of(wait.Thread), WaitNode.OfTask(task), EdgeKind.WaitsFor, wait.Trust, wait.Source) { Timeout = wait.Timeout });

    private static WaitEdge[] NeedsOf(TaskFacts task)
        =>
        [
            .. task.Needs.Select(need => EdgeOf(task, need)).OfType<WaitEdge>()
                .Select(edge => task.NeedsAny ? edge with { Alternatives = task.Needs.Count } : edge),
        ];

    // Whoever has the promise waits without end, so none of them is a way out. Who waits for this one is no hand that it is in, and who
    // waits for the end of threads has mostly handed it to them.
    private static IEnumerable<WaitEdge> ToHolders(TaskFacts task, WaitGraph needed, HashSet<ThreadId> blocked)
    {
        if (task.Reach is not { By: null } reach
            || reach.Holders.Select(holder => holder.Thread).OfType<ThreadId>().Where(blocked.Contains).ToArray() is not { Length: > 0 } holders)
        {
            return [];
        }

        HashSet<ThreadId> waiters =
        [
            .. needed.TasksThatNeed(WaitNode.OfTask(task.Address)).SelectMany(needed.To).Select(edge => edge.From.Thread).OfType<ThreadId>(),
        ];
        return holders.Where(thread => !waiters.Contains(thread))
            .Select(thread => new WaitEdge(
                WaitNode.OfTask(task.Address), WaitNode.Of(thread), EdgeKind.CompletedBy,
                reach.IsInStatic ? Trust.Scanned : Trust.Derived, "heap search: only threads that wait lead to it"));
    }

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
