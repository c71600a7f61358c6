namespace HangTriage.Rules.Graph;

/// <summary>Who waits for whom. An edge leads from the one that cannot continue to the one that has to.</summary>
public sealed class WaitGraph
{
    // Far longer than any chain of waits that a person would follow; facts can come from a hostile file.
    private const int LongestChain = 1_024;

    private readonly Dictionary<WaitNode, List<WaitEdge>> _out = [];
    private readonly Dictionary<WaitNode, List<WaitEdge>> _in = [];
    private readonly List<WaitNode> _nodes = [];

    public WaitGraph(IEnumerable<WaitEdge> edges)
    {
        ArgumentNullException.ThrowIfNull(edges);
        foreach (WaitEdge edge in edges)
        {
            EdgesOf(_out, edge.From).Add(edge);
            EdgesOf(_in, edge.To).Add(edge);
        }
    }

    /// <summary>Every node, in the order in which the edges first name it.</summary>
    public IReadOnlyList<WaitNode> Nodes => _nodes;

    public IReadOnlyList<WaitEdge> From(WaitNode node) => _out.TryGetValue(node, out List<WaitEdge>? edges) ? edges : [];

    public IReadOnlyList<WaitEdge> To(WaitNode node) => _in.TryGetValue(node, out List<WaitEdge>? edges) ? edges : [];

    /// <summary>
    /// The sets of nodes that wait for each other in circles, each once; a tail that leads into a circle is not part of it.
    /// </summary>
    public IReadOnlyList<IReadOnlyList<WaitNode>> Cycles()
        => [.. StronglyConnectedComponents.Of(this).Where(IsCycle)];

    /// <summary>Every node outside the set from which a path leads into it, nearest first.</summary>
    public IReadOnlyList<WaitNode> UpstreamOf(IReadOnlyCollection<WaitNode> nodes) => UpstreamOf(nodes, edge => !edge.LastsByDesign);

    private List<WaitNode> UpstreamOf(IReadOnlyCollection<WaitNode> nodes, Func<WaitEdge, bool> isFollowed)
    {
        HashSet<WaitNode> seen = [.. nodes];
        Queue<WaitNode> queue = new(nodes);
        List<WaitNode> upstream = [];
        while (queue.TryDequeue(out WaitNode? node))
        {
            foreach (WaitEdge edge in To(node))
            {
                if (isFollowed(edge) && seen.Add(edge.From))
                {
                    upstream.Add(edge.From);
                    queue.Enqueue(edge.From);
                }
            }
        }

        return upstream;
    }

    /// <summary>Every thread that cannot continue before the node does, directly or behind others, nearest first.</summary>
    public IReadOnlyList<WaitNode> ThreadsBehind(WaitNode node) => [.. UpstreamOf([node]).Where(other => other.Thread is not null)];

    /// <summary>The task, and all that do not complete before it does: those that need it, or need one that does.</summary>
    public HashSet<WaitNode> TasksThatNeed(WaitNode task)
        => [task, .. UpstreamOf([task], edge => edge is { From.Task: not null, Alternatives: <= 1, EndsByItself: false })];

    /// <summary>Follows the first edge out of each node, from the given one to an end or to a node that was passed before.</summary>
    public IReadOnlyList<WaitEdge> ChainFrom(WaitNode start)
    {
        HashSet<WaitNode> passed = [start];
        List<WaitEdge> chain = [];
        for (WaitNode node = start; chain.Count < LongestChain && From(node) is [WaitEdge edge, ..]; node = edge.To)
        {
            chain.Add(edge);
            if (!passed.Add(edge.To))
            {
                break;
            }
        }

        return chain;
    }

    private bool IsCycle(IReadOnlyList<WaitNode> component)
        => component.Count > 1 || From(component[0]).Any(edge => edge.To == component[0]);

    private List<WaitEdge> EdgesOf(Dictionary<WaitNode, List<WaitEdge>> index, WaitNode node)
    {
        if (!_out.ContainsKey(node) && !_in.ContainsKey(node))
        {
            _nodes.Add(node);
        }

        if (!index.TryGetValue(node, out List<WaitEdge>? edges))
        {
            edges = [];
            index.Add(node, edges);
        }

        return edges;
    }
}
