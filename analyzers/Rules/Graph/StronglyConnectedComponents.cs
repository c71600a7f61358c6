namespace HangTriage.Rules.Graph;

/// <summary>
/// Tarjan's algorithm, with a stack of its own in place of recursion: facts can come from a hostile dump and chain
/// any number of nodes.
/// </summary>
internal sealed class StronglyConnectedComponents
{
    private readonly WaitGraph _graph;
    private readonly Dictionary<WaitNode, Visit> _visits = [];
    private readonly Stack<WaitNode> _open = [];
    private readonly Stack<Visit> _path = [];
    private readonly List<IReadOnlyList<WaitNode>> _components = [];

    private StronglyConnectedComponents(WaitGraph graph) => _graph = graph;

    public static IReadOnlyList<IReadOnlyList<WaitNode>> Of(WaitGraph graph)
    {
        StronglyConnectedComponents search = new(graph);
        foreach (WaitNode root in graph.Nodes)
        {
            search.Walk(root);
        }

        return search._components;
    }

    private void Walk(WaitNode root)
    {
        if (_visits.ContainsKey(root))
        {
            return;
        }

        Enter(root);
        while (_path.TryPeek(out Visit? visit))
        {
            IReadOnlyList<WaitEdge> edges = _graph.From(visit.Node);
            if (visit.NextEdge < edges.Count)
            {
                Follow(visit, edges[visit.NextEdge++].To);
            }
            else
            {
                Leave(visit);
            }
        }
    }

    private void Enter(WaitNode node)
    {
        Visit visit = new(node, _visits.Count);
        _visits.Add(node, visit);
        _open.Push(node);
        _path.Push(visit);
    }

    private void Follow(Visit from, WaitNode to)
    {
        if (!_visits.TryGetValue(to, out Visit? target))
        {
            Enter(to);
        }
        else if (target.IsOpen)
        {
            from.Low = Math.Min(from.Low, target.Index);
        }
    }

    private void Leave(Visit visit)
    {
        _path.Pop();
        if (_path.TryPeek(out Visit? parent))
        {
            parent.Low = Math.Min(parent.Low, visit.Low);
        }

        if (visit.Low == visit.Index)
        {
            _components.Add(Component(visit.Node));
        }
    }

    /// <summary>All that has been entered since, which only leads back here.</summary>
    private List<WaitNode> Component(WaitNode first)
    {
        List<WaitNode> component = [];
        WaitNode node;
        do
        {
            node = _open.Pop();
            _visits[node].IsOpen = false;
            component.Add(node);
        }
        while (node != first);
        return component;
    }

    private sealed class Visit(WaitNode node, int index)
    {
        public WaitNode Node { get; } = node;

        public int Index { get; } = index;

        public int Low { get; set; } = index;

        public int NextEdge { get; set; }

        public bool IsOpen { get; set; } = true;
    }
}
