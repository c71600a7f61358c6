using HangTriage.Capture.Managed.Flows;
using HangTriage.Facts;

namespace HangTriage.Capture.Managed.Reach;

/// <summary>Objects, async methods and threads, and who of them leads to whom. What can run leads on to all that it can get at.</summary>
internal sealed class ReachGraph
{
    private const int None = -1;

    private readonly Dictionary<(ulong Address, int Key), int> _numbers = [];
    private readonly Dictionary<ulong, List<int>> _at = [];
    private readonly Dictionary<int, int> _keepers = [];
    private readonly List<ulong> _addresses = [];
    private readonly List<List<int>?> _from = [];
    private readonly HashSet<(int From, int To)> _ends = [];
    private readonly HashSet<int> _static = [];
    private readonly HashSet<int> _rooted = [];
    private readonly HashSet<(int From, int To)> _uses = [];
    private readonly Dictionary<(int From, int To), int> _codes = [];
    private readonly Dictionary<(int From, int To), IReadOnlyList<ulong>> _sure = [];
    private readonly List<(int Node, RootOf Root)> _last = [];
    private readonly List<int> _stops = [];
    private readonly HashSet<int> _byStop = [];
    private readonly RootGraph _roots = new();

    public int Count => _addresses.Count;

    /// <summary>The node of an object, of the box of an async method, or of the runtime's own thread.</summary>
    public int Of(ulong address, out bool isNew) => Of(address, None, out isNew);

    /// <summary>
    /// The node of an object that merely keeps others, such as a list, as one that keeps what is signalled by some code: who has the list is
    /// asked for that code, and not the list. With another key it is another node.
    /// </summary>
    public int OfKeeper(ulong address, int key, out bool isNew)
    {
        int node = Of(address, key, out isNew);
        _keepers[node] = key;
        return node;
    }

    private int Of(ulong address, int key, out bool isNew)
    {
        isNew = !_numbers.TryGetValue((address, key), out int node);
        if (isNew)
        {
            node = _addresses.Count;
            _numbers.Add((address, key), node);
            _addresses.Add(address);
            _from.Add(null);
            if (!_at.TryGetValue(address, out List<int>? nodes))
            {
                _at.Add(address, nodes = []);
            }

            nodes.Add(node);
        }

        return node;
    }

    public int? Find(ulong address) => _numbers.TryGetValue((address, None), out int node) ? node : null;

    /// <summary>All nodes of the object.</summary>
    public IReadOnlyList<int> NodesAt(ulong address) => _at.GetValueOrDefault(address) ?? [];

    /// <summary>What <see cref="OfKeeper"/> made the node with; null for any other.</summary>
    public int? KeyOfKeeper(int node) => _keepers.TryGetValue(node, out int key) ? key : null;

    public ulong AddressOf(int node) => _addresses[node];

    public RootOf? RootOf(int node) => _roots.RootOf(node);

    public bool IsRooted(int node) => _roots.IsRooted(node);

    public bool LeadsToUnrooted(int node) => _roots.LeadsToUnrooted(node);

    public void Root(int node, FlowRoot kind, ThreadId? thread = null)
    {
        _rooted.Add(node);
        _roots.Root(node, new RootOf(kind, thread));
    }

    /// <summary>The same, where nothing else leads to what this leads to: it is rooted by <see cref="RootRest"/>.</summary>
    public void RootLast(int node, FlowRoot kind, ThreadId thread) => _last.Add((node, new RootOf(kind, thread)));

    /// <summary>It acts once the process is told to stop, and not before.</summary>
    public void RootByStop(int node) => _stops.Add(node);

    /// <summary>To be called when all that leads to the objects is known.</summary>
    public void RootRest()
    {
        foreach ((int node, RootOf root) in _last)
        {
            _rooted.Add(node);
            _roots.Root(node, root);
        }

        _byStop.UnionWith(Enumerable.Range(0, Count).Where(node => !IsRooted(node)));
        foreach (int node in _stops)
        {
            _rooted.Add(node);
            _roots.Root(node, new RootOf(FlowRoot.Static, null));
        }
    }

    /// <summary>Nothing leads to it but what acts once the process is told to stop.</summary>
    public bool IsByStopAlone(int node) => IsRooted(node) && _byStop.Contains(node);

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

    /// <param name="from">Whoever has this one</param>
    /// <param name="to">can end a wait for that one,</param>
    /// <param name="code">while somebody can come to code that does; null where having it is enough.</param>
    /// <param name="sure">Who comes to such code on every way.</param>
    public void LinkHolder(int from, int to, int? code, IReadOnlyList<ulong>? sure = null)
    {
        if (sure is { Count: > 0 })
        {
            _sure[(from, to)] = sure;
        }

        if (from == to || code is not { } needed)
        {
            Link(from, to);
            return;
        }

        (_from[to] ??= []).Add(from);
        _codes.TryAdd((from, to), needed);
        _roots.LinkBoth(from, needed, to);
    }

    /// <param name="from">Whoever can come to code that uses a static field</param>
    /// <param name="to">can use what the field holds,</param>
    /// <param name="code">as <see cref="LinkHolder"/> has it.</param>
    /// <param name="sure">The same.</param>
    public void LinkUse(int from, int to, int? code, IReadOnlyList<ulong> sure)
    {
        _uses.Add((from, to));
        LinkHolder(from, to, code, sure);
    }

    /// <summary>Who comes, on every way, to code that ends a wait for the second, which the first has.</summary>
    public IReadOnlyList<ulong> SureOf(int from, int to) => _sure.GetValueOrDefault((from, to)) ?? [];

    /// <summary>The code without which the first, which has the second, ends no wait for it; null where it needs none.</summary>
    public int? CodeOf(int from, int to) => _codes.TryGetValue((from, to), out int code) ? code : null;

    /// <summary>Nothing leads to it but code that uses a static field which holds it, or holds the one object that has it; and who waits for it.</summary>
    public bool IsByUsesAlone(int node) => IsByUsesAlone(node, ofOwner: null);

    private bool IsByUsesAlone(int node, int? ofOwner)
        => !_rooted.Contains(node)
            && LeadingTo(node).All(from => _uses.Contains((from, node)) || IsWaiter(from, node, ofOwner) || (ofOwner is null && IsByUsesAlone(from, node)));

    // What nothing leads to but the object itself, as to a thread that waits for it, can do nothing before somebody else has.
    private bool IsWaiter(int from, int node, int? owned)
        => !_rooted.Contains(from) && LeadingTo(from).All(before => before == node || before == owned);

    public IReadOnlyList<int> LeadingTo(int node) => _from[node] ?? [];

    /// <summary>What leads to these, nearest first.</summary>
    /// <param name="starts">The nodes.</param>
    /// <param name="most">Of so many nodes at most it is asked what leads to them.</param>
    /// <param name="isPassed">It is asked of this node, too.</param>
    public IEnumerable<int> Behind(IEnumerable<int> starts, int most, Func<int, bool> isPassed)
    {
        HashSet<int> seen = [.. starts];
        Queue<int> open = new(seen);
        for (int steps = 0; steps < most && open.TryDequeue(out int to); steps++)
        {
            foreach (int from in LeadingTo(to).Where(seen.Add))
            {
                if (isPassed(from))
                {
                    open.Enqueue(from);
                }

                yield return from;
            }
        }
    }

    public bool LeadsByItsEnd(int from, int to) => _ends.Contains((from, to));
}
