namespace HangTriage.Capture.Managed.Flows;

/// <summary>Objects and components that lead to each other, and which of them a root leads to.</summary>
internal sealed class RootGraph
{
    private readonly Dictionary<int, List<int>> _leadsTo = [];
    private readonly Dictionary<int, List<(int First, int Second, int To)>> _leadsWith = [];
    private readonly Dictionary<int, RootOf> _roots = [];

    public bool IsRooted(int node) => _roots.ContainsKey(node);

    public RootOf? RootOf(int node) => _roots.TryGetValue(node, out RootOf root) ? root : null;

    public void Link(int from, int to)
    {
        Into(_leadsTo, from).Add(to);
        if (_roots.TryGetValue(from, out RootOf root))
        {
            Root(to, root);
        }
    }

    /// <summary>Only where both have a root do they lead there; it is then said to be that of the second.</summary>
    public void LinkBoth(int first, int second, int to)
    {
        Into(_leadsWith, first).Add((first, second, to));
        Into(_leadsWith, second).Add((first, second, to));
        if (IsRooted(first) && _roots.TryGetValue(second, out RootOf root))
        {
            Root(to, root);
        }
    }

    /// <summary>A root leads to the node, and so to all that it leads to.</summary>
    public void Root(int node, RootOf root)
    {
        Stack<(int Node, RootOf Root)> open = new([(node, root)]);
        while (open.TryPop(out (int Node, RootOf Root) current))
        {
            if (!_roots.TryAdd(current.Node, current.Root))
            {
                continue;
            }

            foreach (int following in _leadsTo.GetValueOrDefault(current.Node) ?? [])
            {
                open.Push((following, current.Root));
            }

            foreach ((int first, int second, int following) in _leadsWith.GetValueOrDefault(current.Node) ?? [])
            {
                if (IsRooted(first) && _roots.TryGetValue(second, out RootOf of))
                {
                    open.Push((following, of));
                }
            }
        }
    }

    /// <summary>Some node that it leads to, alone or with another, has no root yet.</summary>
    public bool LeadsToUnrooted(int node)
        => _leadsTo.GetValueOrDefault(node)?.Exists(following => !IsRooted(following)) == true
            || _leadsWith.GetValueOrDefault(node)?.Exists(pair => !IsRooted(pair.To)) == true;

    private static List<T> Into<T>(Dictionary<int, List<T>> map, int key)
    {
        if (!map.TryGetValue(key, out List<T>? list))
        {
            map.Add(key, list = []);
        }

        return list;
    }
}
