namespace HangTriage.Capture.Managed.Flows;

/// <summary>Objects and components that lead to each other, and which of them a root leads to.</summary>
internal sealed class RootGraph
{
    private readonly Dictionary<int, List<int>> _leadsTo = [];
    private readonly Dictionary<int, RootOf> _roots = [];

    public bool IsRooted(int node) => _roots.ContainsKey(node);

    public RootOf? RootOf(int node) => _roots.TryGetValue(node, out RootOf root) ? root : null;

    public void Link(int from, int to)
    {
        if (!_leadsTo.TryGetValue(from, out List<int>? next))
        {
            _leadsTo.Add(from, next = []);
        }

        next.Add(to);
        if (_roots.TryGetValue(from, out RootOf root))
        {
            Root(to, root);
        }
    }

    /// <summary>A root leads to the node, and so to all that it leads to.</summary>
    public void Root(int node, RootOf root)
    {
        Stack<int> open = new([node]);
        while (open.TryPop(out int current))
        {
            if (_roots.TryAdd(current, root) && _leadsTo.TryGetValue(current, out List<int>? next))
            {
                foreach (int following in next)
                {
                    open.Push(following);
                }
            }
        }
    }

    /// <summary>Some node that it leads to has no root yet.</summary>
    public bool LeadsToUnrooted(int node) => _leadsTo.TryGetValue(node, out List<int>? next) && next.Exists(following => !_roots.ContainsKey(following));
}
