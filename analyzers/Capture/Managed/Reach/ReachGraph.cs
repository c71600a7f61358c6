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
    private readonly HashSet<int> _rooted = [];
    private readonly HashSet<(int From, int To)> _uses = [];
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

    public void Root(int node, FlowRoot kind, ThreadId? thread = null)
    {
        _rooted.Add(node);
        _roots.Root(node, new RootOf(kind, thread));
    }

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

    /// <param name="from">Whoever can come to code that uses a static field</param>
    /// <param name="to">can use what the field holds.</param>
    public void LinkUse(int from, int to)
    {
        _uses.Add((from, to));
        Link(from, to);
    }

    /// <summary>Nothing leads to it but code that uses a static field which holds it, or holds the one object that has it; and who waits for it.</summary>
    public bool IsByUsesAlone(int node) => IsByUsesAlone(node, ofOwner: null);

    private bool IsByUsesAlone(int node, int? ofOwner)
        => !_rooted.Contains(node)
            && LeadingTo(node).All(from => _uses.Contains((from, node)) || IsWaiter(from, node, ofOwner) || (ofOwner is null && IsByUsesAlone(from, node)));

    // What nothing leads to but the object itself, as to a thread that waits for it, can do nothing before somebody else has.
    private bool IsWaiter(int from, int node, int? owned)
        => !_rooted.Contains(from) && LeadingTo(from).All(before => before == node || before == owned);

    public IReadOnlyList<int> LeadingTo(int node) => _from[node] ?? [];

    public bool LeadsByItsEnd(int from, int to) => _ends.Contains((from, to));
}
