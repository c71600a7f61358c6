using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Joins each thread with what it waits for: it continues when that ends.</summary>
internal sealed class ReachJoins(ReachGraph graph, RuntimeRoots roots, ReachThreads threads)
{
    private readonly Dictionary<ThreadId, ThreadStack> _byId = [];

    /// <param name="enter">The node of an object, which is followed on.</param>
    public void Join(Func<ulong, int> enter)
    {
        foreach (ThreadStack stack in roots.Stacks)
        {
            _byId.TryAdd(new ThreadId(stack.Thread.OSThreadId), stack);
        }

        foreach (ThreadStack stack in roots.Stacks)
        {
            int node = graph.Of(stack.Thread.Address, out _);
            ThreadId id = new(stack.Thread.OSThreadId);
            switch (threads.StateOf(stack))
            {
                case ReachThreadState.Runs:
                    graph.Root(node, FlowRoot.Thread, id);
                    break;
                case ReachThreadState.AwaitsAnswer:
                    graph.RootLast(node, FlowRoot.InputOutput, id);
                    break;
                case ReachThreadState.Waits:
                    Join(id, node, enter);
                    break;
                default:
                    break;
            }
        }
    }

    private void Join(ThreadId thread, int node, Func<ulong, int> enter)
    {
        if (threads.TransactionOf(thread) is { } holder && _byId.TryGetValue(holder, out ThreadStack? stack))
        {
            graph.Link(graph.Of(stack.Thread.Address, out _), node);
            return;
        }

        foreach (Address task in threads.TasksOf(thread))
        {
            graph.Link(enter(task.Value), node);
        }

        foreach (WaitFacts wait in threads.WaitsOf(thread))
        {
            if (ReachStarts.ObjectOf(wait) is { } target)
            {
                graph.Link(enter(target), node);
            }
            else if ((wait.TargetThread ?? threads.OwnerOf(wait)) is { } other && _byId.TryGetValue(other, out ThreadStack? owner))
            {
                graph.Link(graph.Of(owner.Thread.Address, out _), node);
            }
            else if (!threads.IsOrphaned(wait))
            {
                graph.Root(node, FlowRoot.Unknown);
            }
        }
    }
}
