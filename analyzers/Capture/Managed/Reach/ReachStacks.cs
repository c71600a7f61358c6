using HangTriage.Capture.Managed.Contexts;
using HangTriage.Capture.Managed.Tasks;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>The threads, by their address in the runtime and by the objects that their frames have.</summary>
internal sealed class ReachStacks
{
    private readonly Dictionary<ulong, ThreadStack> _byThread = [];
    private readonly Lazy<ILookup<ulong, ThreadStack>> _holding;

    public ReachStacks(RuntimeRoots roots)
    {
        foreach (ThreadStack stack in roots.Stacks)
        {
            _byThread.TryAdd(stack.Thread.Address, stack);
        }

        _holding = new(() => roots.Stacks.SelectMany(stack => stack.Roots.Select(root => (Root: root, Stack: stack))).ToLookup(pair => pair.Root, pair => pair.Stack));
    }

    /// <summary>Null for an object.</summary>
    public ThreadStack? ThreadAt(ulong address) => _byThread.GetValueOrDefault(address);

    /// <summary>A frame of some thread has the object.</summary>
    public bool IsHeld(ulong address) => _holding.Value.Contains(address);

    /// <summary>Enters into the graph the threads whose frames have the object: those that run can end what it leads to.</summary>
    /// <param name="graph">The graph.</param>
    /// <param name="address">The object.</param>
    /// <param name="node">Its node.</param>
    /// <param name="code">The code without which who has the object ends no wait for it; null where having it is enough.</param>
    /// <param name="threads">What the threads do.</param>
    public void Link(ReachGraph graph, ulong address, int node, int? code, ReachThreads threads)
    {
        foreach (ThreadStack stack in _holding.Value[address])
        {
            switch (threads.StateOf(stack))
            {
                case ReachThreadState.Runs when code is null:
                    graph.Link(graph.Of(stack.Thread.Address, out _), node);
                    graph.Root(node, FlowRoot.Thread, new ThreadId(stack.Thread.OSThreadId));
                    break;
                case ReachThreadState.Runs or ReachThreadState.AwaitsAnswer or ReachThreadState.Waits:
                    graph.LinkHolder(graph.Of(stack.Thread.Address, out _), node, code);
                    break;
                default:
                    break;
            }
        }
    }
}
