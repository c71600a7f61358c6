using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>
/// The finalizer of an object can end a wait that the object leads to, but runs only once nothing that is alive leads to the object:
/// while whoever waits, or a static field, still does, it does not. One thread runs them all: where that waits, so do they.
/// </summary>
/// <param name="graph">What leads to what.</param>
/// <param name="isAlive">Whether a node stands for a thread or a suspended async method.</param>
/// <param name="blocked">The node of the finalizer thread where that waits for good; null where it does not.</param>
internal sealed class ReachFinalizers(ReachGraph graph, Func<int, bool> isAlive, int? blocked)
{
    private readonly HashSet<int> _nodes = [];

    public void Add(int node) => _nodes.Add(node);

    /// <summary>To be called when all that leads to the objects is known.</summary>
    public void Root()
    {
        foreach (int node in _nodes.Where(node => !graph.IsRooted(node) && !IsHeld(node)))
        {
            if (blocked is { } finalizer)
            {
                graph.Link(finalizer, node);
            }
            else
            {
                graph.Root(node, FlowRoot.Unknown);
            }
        }
    }

    private bool IsHeld(int node)
    {
        HashSet<int> seen = [node];
        Queue<int> open = new([node]);
        while (open.TryDequeue(out int next))
        {
            if (graph.IsStatic(next) || isAlive(next))
            {
                return true;
            }

            foreach (int from in graph.LeadingTo(next).Where(seen.Add))
            {
                open.Enqueue(from);
            }
        }

        return false;
    }
}
