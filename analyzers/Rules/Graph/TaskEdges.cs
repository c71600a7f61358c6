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

        foreach (TaskFacts task in graph.Tasks)
        {
            foreach (TaskNeedFacts need in task.Needs)
            {
                if (EdgeOf(task, need) is { } edge)
                {
                    yield return task.NeedsAny ? edge with { Alternatives = task.Needs.Count } : edge;
                }
            }
        }
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
