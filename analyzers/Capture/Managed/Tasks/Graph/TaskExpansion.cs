using HangTriage.Capture.Managed.Timers;
using HangTriage.Facts;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed.Tasks.Graph;

/// <summary>Follows a task down: an async method's awaiter, a Delay's timer and the like lead to what it waits for.</summary>
internal sealed class TaskExpansion(TaskGraph graph, CaptureContext context)
{
    private const string Awaiter = "awaiter of the state machine";

    // ContinueWith, WaitAsync, ValueTask.AsTask, WhenAny of two.
    private static readonly string[] s_parts = ["m_antecedent", "_task", "_source", "_task1", "_task2"];

    public void Expand(TaskNode node)
    {
        if (node.IsExpanded || node.IsCompleted)
        {
            return;
        }

        node.IsExpanded = true;
        if (StateMachine.IsBox(node.Object))
        {
            ExpandMethod(node);
        }
        else if (OperationTask.Source(node.Object) is { IsNull: false } source && !TaskObject.IsAwaitable(source))
        {
            ExpandOperation(node, source, "operation that the task stands for");
        }
        else if (node.Kind == TaskKind.Delay)
        {
            ExpandDelay(node);
        }
        else
        {
            ExpandPromise(node);
        }
    }

    private void ExpandMethod(TaskNode node)
    {
        ClrObject[] awaited = [.. StateMachine.Awaited(node.Object)];
        ClrObject[] pending = [.. awaited.Where(task => TaskObject.IsAwaitable(task) && !TaskObject.IsCompleted(task))];
        foreach (ClrObject task in pending)
        {
            graph.Node(task);
            node.Add(TaskGraph.TaskOf(task, Awaiter));
            foreach (Continuation rest in graph.Continuations.Between(task, node.Object.Address).Where(rest => !rest.Context.IsNull))
            {
                node.Add(graph.NeedOf(rest.Context, isPosted: false, TaskGraph.Continues));
            }
        }

        if (pending.Length > 0)
        {
            return;
        }

        ClrObject source = awaited.FirstOrDefault(target => !TaskObject.IsAwaitable(target));
        if (source.IsNull || awaited.Any(TaskObject.IsAwaitable))
        {
            node.IsReady = true;
            return;
        }

        ExpandOperation(node, source, Awaiter);
    }

    // An awaitable of a type that is not known: a channel's, a socket's.
    private void ExpandOperation(TaskNode node, ClrObject source, string how)
    {
        graph.Node(source);
        node.Add(TaskGraph.TaskOf(source, how));
    }

    private static void ExpandDelay(TaskNode node)
    {
        ClrObject timer = PendingTimers.Behind(node.Object);
        if (!timer.IsNull)
        {
            node.Add(PendingTimers.Need(timer));
        }
        else if (!node.Object.Has("_registration"))
        {
            node.Add(new TaskNeedFacts { Kind = TaskNeedKind.Nobody, Trust = Trust.Read, Source = "a delay without end has no timer" });
        }
    }

    private static void LimitTime(TaskNode node)
    {
        ClrObject timer = PendingTimers.Behind(node.Object);
        if (!timer.IsNull)
        {
            node.Add(PendingTimers.Need(timer));
        }

        if (node.Object.Type!.GetFieldByName("_registration") is { } registration
            && ObjectFields.ObjectsIn(registration.Type, registration.GetAddress(node.Object.Address)).Any())
        {
            node.Add(new TaskNeedFacts { Kind = TaskNeedKind.Unknown, Trust = Trust.Read, Source = "a cancellation token that it is registered with" });
        }
    }

    private void ExpandPromise(TaskNode node)
    {
        IEnumerable<ClrObject> parts = s_parts
            .Select(name => node.Object.Reference(name))
            .Concat(node.Object.Reference("_tasks", "m_tasks").Elements(context.Limits.Tasks))
            .Where(part => TaskObject.IsAwaitable(part) && !TaskObject.IsCompleted(part) && part.Address != node.Object.Address);
        foreach (ClrObject part in parts)
        {
            graph.Node(part);
            node.Add(TaskGraph.TaskOf(part, "field of the promise"));
        }

        if (node.IsTimeLimited)
        {
            LimitTime(node);
        }

        ClrObject syncContext = node.Object.Reference("m_taskScheduler").Reference("m_synchronizationContext");
        if (node.Kind == TaskKind.Delegate && !syncContext.IsNull && TaskObject.State(node.Object).Is(state => state == TaskState.WaitingToRun))
        {
            node.Add(graph.NeedOf(syncContext, isPosted: true, "scheduler of the task"));
        }
    }
}
