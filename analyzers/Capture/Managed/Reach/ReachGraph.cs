using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Objects, async methods and threads, and who of them leads to whom. What can run leads on to all that it can get at.</summary>
internal sealed class ReachGraph
{
    private readonly Dictionary<ulong, int> _numbers = [];
    private readonly List<ulong> _addresses = [];
    private readonly List<List<int>?> _from = [];
    private readonly HashSet<(int From, int To)> _ends = [];
    private readonly HashSet<int> _static = [];
    private readonly RootGraph _roots = new();

    public int Count => _addresses.Count;

    /// <summary>The node of an object, of the box of an async method, or of the runtime's own thread.</summary>
    public int Of(ulong address, out bool isNew)
    {
        isNew = !_numbers.TryGetValue(address, out int node);
        if (isNew)
        {
            node = _addresses.Count;
            _numbers.Add(address, node);
            _addresses.Add(address);
            _from.Add(null);
        }

        return node;
    }

    public int? Find(ulong address) => _numbers.TryGetValue(address, out int node) ? node : null;

    public ulong AddressOf(int node) => _addresses[node];

    public RootOf? RootOf(int node) => _roots.RootOf(node);

    public bool IsRooted(int node) => _roots.IsRooted(node);

    public bool LeadsToUnrooted(int node) => _roots.LeadsToUnrooted(node);

    public void Root(int node, FlowRoot kind, ThreadId? thread = null) => _roots.Root(node, new RootOf(kind, thread));

    /// <summary>A static field holds the object.</summary>
    public void MarkStatic(int node) => _static.Add(node);

    public bool IsStatic(int node) => _static.Contains(node);

    /// <param name="from">Whoever can get at this one or continues it</param>
    /// <param name="to">can get at that one or end its wait.</param>
    /// <param name="isEnd">The first is an async method, and its end leads to the second.</param>
    public void Link(int from, int to, bool isEnd = false)
    {
        if (from == to)
        {
            return;
        }

        (_from[to] ??= []).Add(from);
        if (isEnd)
        {
            _ends.Add((from, to));
        }

        _roots.Link(from, to);
    }

    public IReadOnlyList<int> LeadingTo(int node) => _from[node] ?? [];

    public bool LeadsByItsEnd(int from, int to) => _ends.Contains((from, to));
}
