namespace HangTriage.Rules.Graph;

/// <summary>
/// Tarjan's algorithm, with a stack of its own in place of recursion: facts can come from a hostile dump and chain
/// any number of nodes.
/// </summary>
internal static class StronglyConnectedComponents
{
    public static IReadOnlyList<IReadOnlyList<WaitNode>> Of(WaitGraph graph)
    {
        Dictionary<WaitNode, Visit> visits = [];
        Stack<WaitNode> open = [];
        Stack<Visit> path = [];
        List<IReadOnlyList<WaitNode>> components = [];

        foreach (WaitNode root in graph.Nodes)
        {
            if (visits.ContainsKey(root))
            {
                continue;
            }

            Enter(root);
            while (path.TryPeek(out Visit? visit))
            {
                IReadOnlyList<WaitEdge> edges = graph.From(visit.Node);
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

        return components;

        void Enter(WaitNode node)
        {
            Visit visit = new(node, visits.Count);
            visits.Add(node, visit);
            open.Push(node);
            path.Push(visit);
        }

        void Follow(Visit from, WaitNode to)
        {
            if (!visits.TryGetValue(to, out Visit? target))
            {
                Enter(to);
            }
            else if (target.IsOpen)
            {
                from.Low = Math.Min(from.Low, target.Index);
            }
        }

        void Leave(Visit visit)
        {
            path.Pop();
            if (path.TryPeek(out Visit? parent))
            {
                parent.Low = Math.Min(parent.Low, visit.Low);
            }

            if (visit.Low != visit.Index)
            {
                return;
            }

            List<WaitNode> component = [];
            WaitNode node;
            do
            {
                node = open.Pop();
                visits[node].IsOpen = false;
                component.Add(node);
            }
            while (node != visit.Node);

            components.Add(component);
        }
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
